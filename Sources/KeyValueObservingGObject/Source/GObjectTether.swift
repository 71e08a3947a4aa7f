#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  /// Ties a GObject and its source together, so that both live equally long.
  ///
  /// The source owns a toggle reference to the GObject. The GObject owns the source while it has other
  /// references besides, of which GLib notifies the tether. It lies in the data of the GObject.
  final class GObjectTether: @unchecked Sendable {  // guarded by `lock`
    private let lock = Lock()
    // Counted, because threads may deliver the two in another order than they happened. While a
    // notification is on its way, the source is kept, and with it the GObject that the notification
    // is about (`g_object_unref` looks at it when its reference is gone).
    /// How often the GObject got other references, less how often it lost them, as far as GLib has
    /// notified of that: 0 if the toggle reference is the only one.
    private var others = 1
    /// The source, while the GObject has other references.
    private var owned: GObjectSource?
    // Not before: an object that has had a weak reference takes twice as long to retain from then on.
    /// The source, once it has not been owned.
    private weak var released: GObjectSource?
    /// Whether the source has a reference to the GObject.
    ///
    /// Written before another thread has the source.
    private var isTied = false

    /// The source, nil while it is being deallocated.
    var source: GObjectSource? {
      lock.lock()
      defer { lock.unlock() }
      return owned ?? released
    }

    /// Ties a source to its GObject, to which the caller has a reference.
    ///
    /// Returns the one that another thread has tied to it meanwhile, if there is one.
    func tie(_ source: GObjectSource) -> GObjectSource {
      lock.withLock { owned = source }
      if let other = install(in: source.object) {
        lock.withLock { owned = nil }
        return other
      }
      isTied = true
      g_object_add_toggle_ref(source.object, Self.toggle, Unmanaged.passUnretained(self).toOpaque())
      return source
    }

    /// Gives up the reference of a source that is being deallocated.
    ///
    /// That is the end of the GObject, unless a weak reference of C to it has been followed
    /// meanwhile.
    func cut(_ object: UnsafeMutablePointer<CGObject.GObject>) {
      guard isTied else { return }
      g_object_remove_toggle_ref(object, Self.toggle, Unmanaged.passUnretained(self).toOpaque())
    }

    /// One pointer, which GLib compares.
    static let toggle: GToggleNotify = { tether, _, isLast in
      guard let tether else { return }
      Unmanaged<GObjectTether>.fromOpaque(tether)._withUnsafeGuaranteedRef {
        $0.othersChanged(by: isLast == 0 ? 1 : -1)
      }
    }

    /// Called by any thread, without a lock of GLib's.
    private func othersChanged(by difference: Int) {
      // Released outside the lock, since that may be its end, of which observers are notified.
      let former: GObjectSource?
      lock.lock()
      others += difference
      if others > 0 {
        if owned == nil { owned = released }
        former = nil
      } else {
        former = owned
        released = owned
        owned = nil
      }
      lock.unlock()
      withExtendedLifetime(former) {}
    }
  }

  // MARK: The tether of a GObject

  extension GObjectTether {
    /// The tether in the data of a GObject, if it has one.
    static func find(_ object: UnsafeMutablePointer<CGObject.GObject>) -> GObjectTether? {
      lock.withLock {
        g_object_get_qdata(object, quark).map {
          Unmanaged<GObjectTether>.fromOpaque($0).takeUnretainedValue()
        }
      }
    }

    /// Puts the tether into the data of a GObject, unless one with a source is there, which is returned.
    private func install(in object: UnsafeMutablePointer<CGObject.GObject>) -> GObjectSource? {
      Self.lock.withLock {
        if let other = g_object_get_qdata(object, Self.quark) {
          let tether = Unmanaged<GObjectTether>.fromOpaque(other).takeUnretainedValue()
          if let source = tether.source { return source }
        }
        g_object_set_qdata_full(object, Self.quark, Unmanaged.passRetained(self).toOpaque()) {
          Unmanaged<GObjectTether>.fromOpaque($0!).release()
        }
        return nil
      }
    }

    /// Guards what lies in the data of all GObjects: one that is found there must not be released before
    /// it is retained.
    private static let lock = Lock()
    private static let quark = g_quark_from_string("swift-key-value-observing")
  }
#endif
