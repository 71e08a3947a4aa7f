#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  /// Listens to `notify` for one property of one GObject, while the property is observed.
  final class GObjectWatch: @unchecked Sendable {  // guarded by `lock`
    let property: GObjectProperty
    private weak var source: GObjectSource?
    private let lock = Lock()
    private var handler: gulong = 0
    /// The value that was delivered last, or that the property had when it came to be observed; nil until
    /// that has been read.
    private var last: Any??
    /// How often reading the value began, and which of these was stored: one that began earlier has read
    /// an older value, and is late.
    private var begunReads: UInt64 = 0
    private var storedRead: UInt64 = 0
    /// The threads that set the property through its source, each as often as it does.
    private var setters: [OpaquePointer] = []
    /// Whether such a set was notified while it was made.
    private var wasNotified = false
    /// Whether GLib will notify of such a set when the GObject is thawed, of which the value would not show
    /// that it was delivered.
    private var isNotifyDue = false

    init(_ property: GObjectProperty, of source: GObjectSource) {
      self.property = property
      self.source = source
    }

    /// Begins to listen, and then reads the value, so that no change comes between.
    func begin(with source: GObjectSource) {
      let handler = kvo_connect_notify(
        source.object, Self.notifySignal, property.detail,
        { _, _, watch in
          Unmanaged<GObjectWatch>.fromOpaque(watch!)._withUnsafeGuaranteedRef { $0.notified() }
        }, Unmanaged.passRetained(self).toOpaque(),
        { watch, _ in Unmanaged<GObjectWatch>.fromOpaque(watch!).release() })
      lock.withLock { self.handler = handler }
      _ = refresh(from: source)
    }

    func end(of object: UnsafeMutablePointer<CGObject.GObject>) {
      let handler = lock.withLock { self.handler }
      // A GObject that was disposed has disconnected all handlers itself.
      if g_signal_handler_is_connected(object, handler) != 0 {
        g_signal_handler_disconnect(object, handler)
      }
      // Released outside the lock: it may be the last reference to an object.
      let former = lock.withLock {
        defer { last = nil }
        return last
      }
      withExtendedLifetime(former) {}
    }

    var lastValue: Any?? { lock.withLock { last } }

    private static let notifySignal = g_signal_lookup("notify", kvo_type_object)

    // MARK: Changes

    /// Called by GLib, on the thread that notifies, while the GObject is retained.
    private func notified() {
      guard let source, !isAccountedFor else { return }
      guard let former = refresh(from: source) else { return }
      source.keyValueRegistrar.didChange(
        property.entry, of: source, from: former.old, to: former.new)
    }

    /// Whether a set through the source is what GLib notifies of, which delivers the change itself.
    private var isAccountedFor: Bool {
      lock.withLock {
        if !setters.isEmpty, setters.contains(thread) {
          wasNotified = true
          return true
        }
        return false
      }
    }

    /// Reads the value. Returns what was delivered last and the value, if they are different.
    private func refresh(from source: GObjectSource) -> (old: Any?, new: Any?)? {
      let read = lock.withLock {
        begunReads += 1
        return begunReads
      }
      let value = property.read(from: source.object)
      var former: Any??
      return lock.withLock { () -> (old: Any?, new: Any?)? in
        guard read > storedRead else { return nil }
        storedRead = read
        former = last
        last = .some(value)
        let isDue = isNotifyDue
        isNotifyDue = false
        guard let old = former, !isDue, !property.kind.areSame(old, value) else { return nil }
        return (old, value)
      }
    }

    /// Runs a set through the source, of which GLib's notification is not delivered.
    func set(_ source: GObjectSource, _ write: () -> Void) {
      let thread = thread
      lock.withLock {
        setters.append(thread)
        wasNotified = false
      }
      write()
      _ = refresh(from: source)
      lock.withLock {
        if let index = setters.lastIndex(of: thread) { setters.remove(at: index) }
        isNotifyDue =
          property.kind.isOpaque && !wasNotified && kvo_is_frozen(source.object) != 0
      }
    }

    private var thread: OpaquePointer { OpaquePointer(g_thread_self()) }
  }
#endif
