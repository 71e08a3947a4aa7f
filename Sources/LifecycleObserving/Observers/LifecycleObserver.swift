/// An observer of the moments of an owner's lifecycle.
///
/// Implement those that matter; the others do nothing. Each is called with the owner, on the thread or
/// actor on which the lifecycle moves, before the move returns. An observer needs no reference to
/// the owner, so one class serves any number of owners: to log the screens that are shown, say.
///
///     final class ScreenLog: LifecycleObserver {
///       func didAppear(_ owner: any LifecycleOwner) { print("shown: \(type(of: owner))") }
///     }
///
///     screen.addLifecycleObserver(ScreenLog())
///
/// A class of the main actor conforms on the main actor: `final class ScreenLog: @MainActor
/// LifecycleObserver`.
public protocol LifecycleObserver: AnyObject {
  /// The content of the owner has been loaded.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  func didLoad(_ owner: any LifecycleOwner)

  /// The owner is about to appear.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  func willAppear(_ owner: any LifecycleOwner)

  /// The owner has appeared.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  func didAppear(_ owner: any LifecycleOwner)

  /// The owner is about to disappear.
  ///
  /// If its appearance is cancelled, it has not appeared.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  func willDisappear(_ owner: any LifecycleOwner)

  /// The owner has disappeared.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  func didDisappear(_ owner: any LifecycleOwner)
}

extension LifecycleObserver {
  /// Does nothing.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func didLoad(_ owner: any LifecycleOwner) {}

  /// Does nothing.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func willAppear(_ owner: any LifecycleOwner) {}

  /// Does nothing.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func didAppear(_ owner: any LifecycleOwner) {}

  /// Does nothing.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func willDisappear(_ owner: any LifecycleOwner) {}

  /// Does nothing.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func didDisappear(_ owner: any LifecycleOwner) {}
}

extension LifecycleObserver {
  func receive(_ moment: Lifecycle.Moment, of owner: any LifecycleOwner) {
    switch moment {
    case .didLoad: didLoad(owner)
    case .willAppear: willAppear(owner)
    case .didAppear: didAppear(owner)
    case .willDisappear: willDisappear(owner)
    case .didDisappear: didDisappear(owner)
    }
  }
}
