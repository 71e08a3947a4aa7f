internal import Foundation
internal import KeyValueObservingCore

/// The state shared by all instances of `ObservableUserDefaults` with one suite.
///
/// Foundation and observers are called without the lock.
final class DefaultsStore: @unchecked Sendable {  // guarded by `lock`, and `UserDefaults` by itself
  let defaults: UserDefaults
  private let lock = Lock()
  private var instances: [WeakReference] = []
  /// How many instances there may be before those that are gone are looked for.
  private var instanceLimit = 8
  private var values = WatchedValues()

  init(_ defaults: UserDefaults) {
    self.defaults = defaults
  }

  /// The value that getters return: that of Foundation, but for a change by others that is being
  /// delivered, which becomes visible with its delivery.
  func value(forKey key: String) -> Any? {
    lock.withLock { values.former(key) } ?? defaults.object(forKey: key)
  }

  /// Sets a key and notifies its observers in all instances.
  func set(_ value: Any?, forKey key: String, _ store: (UserDefaults) -> Void) {
    deliver(value, forKey: key) {
      lock.withLock { values.beginChange(of: key) }
      store(defaults)
      rememberChange(of: key)
    }
  }

  private func rememberChange(of key: String) {
    while true {
      let last = lock.withLock { values.last(key) }
      let value = last.flatMap { _ in defaults.object(forKey: key) }
      if lock.withLock({ values.endChange(of: key, since: last, to: value) }) { return }
    }
  }

  /// Makes a change that all instances are notified of.
  ///
  /// For several it is a transaction: all old values are read before it, no observer is called before it is made, and
  /// one that sets the key again is followed by the others in order (P48).
  ///
  /// - `isRefresh`: Whether others have made the change, which becomes visible now.
  private func deliver(
    _ value: Any?, forKey key: String, isRefresh: Bool = false, _ change: () -> Void
  ) {
    let instances = liveInstances
    // A set in `didSet` while values are put back is not stored (P50), but the change of others is.
    if instances.count == 1 {
      var isMade = false
      set(value, forKey: key, of: instances[0]) {
        isMade = true
        change()
      }
      if isRefresh, !isMade { change() }
    } else {
      withKeyValueTransaction(onError: .deliver) {
        var isStored = isRefresh || instances.isEmpty
        for instance in instances { set(value, forKey: key, of: instance) { isStored = true } }
        if isStored { change() }
      }
    }
  }

  private func set(
    _ value: Any?, forKey key: String, of instance: ObservableUserDefaults, _ change: () -> Void
  ) {
    instance.keyValueRegistrar.set(
      dynamicKey: key, of: instance, to: value, read: { self.value(forKey: key) },
      write: { _ in change() })
  }

  // MARK: Instances

  /// Adds an instance, and forgets those that are gone, whenever there are twice as many as were left the last time.
  func insert(_ instance: ObservableUserDefaults) {
    let targets = lock.withLock { () -> [AnyObject?] in
      instances.append(WeakReference(instance))
      if instances.count < instanceLimit { return [] }
      let targets = instances.map(\.target)
      instances = zip(instances, targets).compactMap { $1 == nil ? nil : $0 }
      instanceLimit = max(2 * instances.count, 8)
      return targets
    }
    // Released here: the end of an instance calls observers.
    withExtendedLifetime(targets) {}
  }

  private var liveInstances: [ObservableUserDefaults] {
    lock.withLock { instances }.compactMap { $0.target as? ObservableUserDefaults }
  }

  // MARK: Changes by others

  /// Remembers the value of a key that is observed or read, so that `refresh()` finds its changes.
  func watch(_ key: String) {
    if lock.withLock({ values.last(key) != nil }) { return }
    let value = defaults.object(forKey: key)
    lock.withLock { values.watch(key, value) }
  }

  /// Delivers what was changed by others since it was last delivered or read.
  func refresh() {
    for key in lock.withLock({ values.keys }).sorted() {
      // In this order: a set in between is noticed by `beginRefresh`.
      guard let last = lock.withLock({ values.last(key) }) else { continue }
      let value = defaults.object(forKey: key)
      guard !areEqual(last.value, value),
        lock.withLock({ values.beginRefresh(of: key, since: last) })
      else { continue }
      deliver(value, forKey: key, isRefresh: true) {
        lock.withLock { values.endRefresh(of: key, since: last, to: value) }
      }
    }
  }
}
