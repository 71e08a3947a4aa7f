#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  /// Listens to `notify` for one property of one GObject, while the property is observed.
  final class GObjectWatch: @unchecked Sendable {  // guarded by `lock`
    let property: GObjectProperty
    private let tether: GObjectTether
    private let lock = Lock()
    private var handler: gulong = 0
    /// The value that was delivered last, or that the property had when it became observed; nil
    /// until that has been read.
    private var last: Contents?
    /// How often reading the property began, and which of these reads was stored.
    ///
    /// One that began earlier may have read an older value, and is dropped.
    private var begunReads: UInt64 = 0
    private var storedRead: UInt64 = 0
    /// The threads that set the property through its source, each as often as it does.
    private var setters: [OpaquePointer] = []
    /// Whether such a set was notified while it was made.
    private var wasNotified = false
    /// Whether GLib will notify of such a set when the GObject is thawed, and the value will not show that
    /// it was delivered.
    private var isNotifyDue = false

    init(_ property: GObjectProperty, of source: GObjectSource) {
      self.property = property
      tether = source.tether
    }

    /// Begins to listen, and then reads the value, so that no change comes between.
    func begin(with source: GObjectSource) {
      let handler = kvo_connect_notify(
        source.object, Self.notifySignal, property.detail,
        { _, _, watch in
          Unmanaged<GObjectWatch>.fromOpaque(watch!)._withUnsafeGuaranteedRef { $0.notified() }
        }, Unmanaged.passRetained(self).toOpaque(),
        { watch, _ in Unmanaged<GObjectWatch>.fromOpaque(watch!).release() })
      lock.lock()
      self.handler = handler
      lock.unlock()
      keepValue(of: source)
    }

    func end(of object: UnsafeMutablePointer<CGObject.GObject>) {
      lock.lock()
      let handler = self.handler
      lock.unlock()
      // A GObject that was disposed has disconnected all handlers itself.
      if g_signal_handler_is_connected(object, handler) != 0 {
        g_signal_handler_disconnect(object, handler)
      }
    }

    var lastContents: Contents? { lock.withLock { last } }

    private static let notifySignal = g_signal_lookup("notify", kvo_type_object)

    // MARK: Changes

    /// Called by GLib, on the thread that notifies, while the GObject is retained.
    private func notified() {
      guard let source = tether.source, let read = beginReading() else { return }
      let values = exchangeValue(of: source, read, isNotified: true)
      guard let old = values.old, !old.isSame(as: values.new) else { return }
      source.keyValueRegistrar.didChange(
        property.entry, of: source, from: old.value, to: values.new.value)
    }

    /// Numbers a read that is about to be made.
    ///
    /// Returns nil where GLib notifies of a set through the source on the same thread, which
    /// delivers the change.
    private func beginReading() -> UInt64? {
      lock.lock()
      defer { lock.unlock() }
      if !setters.isEmpty, setters.contains(thread) {
        wasNotified = true
        return nil
      }
      begunReads += 1
      return begunReads
    }

    /// Reads the property and keeps its value.
    ///
    /// Returns the value, and the one that was kept before; nil for that if a read that began later
    /// is kept, or if a set through the source has delivered the value of which GLib notifies.
    private func exchangeValue(
      of source: GObjectSource, _ read: UInt64, isNotified: Bool
    ) -> (old: Contents?, new: Contents) {
      let new = property.read(from: source.object)
      // Both are released outside the lock, where they may be the last references to objects.
      var old: Contents?
      var isDelivered = false
      lock.lock()
      if read > storedRead {
        storedRead = read
        old = last
        last = new
        isDelivered = isNotified && isNotifyDue
        if isNotified { isNotifyDue = false }
      }
      lock.unlock()
      return (isDelivered ? nil : old, new)
    }

    /// Reads the property and keeps its value, which observers get in another way.
    private func keepValue(of source: GObjectSource) {
      lock.lock()
      begunReads += 1
      let read = begunReads
      lock.unlock()
      _ = exchangeValue(of: source, read, isNotified: false)
    }

    /// Runs a set through the source, of which GLib's notification is not delivered.
    func set(_ source: GObjectSource, _ write: () -> Void) {
      let thread = thread
      lock.withLock {
        setters.append(thread)
        wasNotified = false
      }
      write()
      let isOpaqueAndFrozen = property.kind.isOpaque && kvo_is_frozen(source.object) != 0
      lock.withLock {
        if let index = setters.lastIndex(of: thread) { setters.remove(at: index) }
        isNotifyDue = isOpaqueAndFrozen && !wasNotified
      }
      keepValue(of: source)
    }

    /// Notes that GLib notifies of no earlier set any more: not of one that it found to be none.
    func noteThawed() { lock.withLock { isNotifyDue = false } }

    private var thread: OpaquePointer { OpaquePointer(g_thread_self()) }
  }
#endif
