// swift-format-ignore: NoLeadingUnderscores
/// The lock behind the stored variables that `@KeyValueObservable` guards in a `Sendable` class.
///
/// Only expansions use it. One access to the storage runs under the lock and nothing else: values are
/// released, and observers called, after it.
@_documentation(visibility: internal)
public struct _$KeyValueGuard: ~Copyable, Sendable {
  private let lock = Lock()

  /// Creates the lock of an object.
  public init() {}

  /// Reads, stores or exchanges a value that may be shared by threads, while no other thread does.
  ///
  /// - Parameter access: The access to the storage. It must neither call code of the class nor use
  ///   the lock again.
  /// - Returns: The value that the closure returns.
  public func withLock<Value: Sendable>(_ access: () -> Value) -> Value {
    lock.withLock(access)
  }
}
