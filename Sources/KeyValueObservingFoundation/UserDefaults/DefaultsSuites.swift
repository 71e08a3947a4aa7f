internal import Foundation
internal import KeyValueObservingCore

/// The stores of this process, one for each suite.
///
/// They are kept: there are few suites.
final class DefaultsSuites: @unchecked Sendable {  // `stores` is guarded by `lock`
  private let lock = Lock()
  let standard = DefaultsStore(.standard)
  private var stores: [String?: DefaultsStore]

  private init() {
    stores = [nil: standard]
    // The center keeps the registration.
    _ = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: nil, queue: nil
    ) { _ in DefaultsSuites.shared.refresh() }
  }

  static let shared = DefaultsSuites()

  /// The store of a suite, nil where Foundation has none.
  func store(of suite: String?) -> DefaultsStore? {
    if let store = lock.withLock({ stores[suite] }) { return store }
    guard let made = UserDefaults(suiteName: suite).map(DefaultsStore.init) else { return nil }
    return lock.withLock {
      if let store = stores[suite] { return store }
      stores[suite] = made
      return made
    }
  }

  /// Delivers what others have changed in any suite.
  func refresh() {
    for store in lock.withLock({ Array(stores.values) }) { store.refresh() }
  }
}
