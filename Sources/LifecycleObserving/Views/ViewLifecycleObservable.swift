/// Handlers for the appearance and disappearance of a declarative view, as a value.
///
/// Declarative views are values and have no lifecycle of their own; their frameworks call closures
/// instead. Make one of closures:
///
///     let shown = ViewLifecycleObservable(onAppear: { log("shown") }, onDisappear: { log("hidden") })
///
/// Or make one of a ``Lifecycle`` that an object has, which then moves with the view, so that
/// observations in its spans begin and end with it. In SwiftUI, pass it to
/// `addLifecycleObserver(_:)` of a view.
public struct ViewLifecycleObservable {
  /// Is called each time the view appears.
  public var onAppear: () -> Void
  /// Is called each time the view has disappeared.
  public var onDisappear: () -> Void

  /// Creates a value of closures.
  ///
  /// - Parameters:
  ///   - onAppear: The handler for the view's appearance.
  ///   - onDisappear: The handler for the view's disappearance.
  public init(onAppear: @escaping () -> Void = {}, onDisappear: @escaping () -> Void = {}) {
    self.onAppear = onAppear
    self.onDisappear = onDisappear
  }

  /// Creates a value that moves the lifecycle of an owner: to `visible` when the view appears, to
  /// `loaded` when it has disappeared.
  ///
  /// The owner is retained.
  ///
  /// Frameworks call one closure before the first frame, and none after it. So will appear and did
  /// appear are one moment here, and so are will disappear and did disappear.
  ///
  /// - Parameter owner: The owner whose lifecycle follows the view.
  public init(_ owner: some LifecycleOwner) {
    self.init(
      onAppear: { owner.lifecycle.move(to: .visible) },
      onDisappear: { owner.lifecycle.move(to: .loaded) })
  }

  /// Creates a value that calls several others, in their order when the view appears and in the
  /// reverse order when it has disappeared.
  ///
  /// - Parameter parts: The observers to combine.
  public init(_ parts: [ViewLifecycleObservable]) {
    self.init(
      onAppear: { for part in parts { part.onAppear() } },
      onDisappear: { for part in parts.reversed() { part.onDisappear() } })
  }
}
