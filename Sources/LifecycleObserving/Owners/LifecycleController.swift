/// A headless owner with children: a screen of a terminal program, a session of a server, a screen in
/// a test.
///
/// Its children receive every moment of it, after its own observers, in the order in which they
/// were added, so that a screen composed of parts appears and disappears as a whole:
///
///     let screen = LifecycleController()
///     let sidebar = LifecycleController()
///     screen.addChild(sidebar)
///     screen.lifecycle.move(to: .visible)  // so is the sidebar
///
/// A class of its own that holds one, or its own ``Lifecycle``, can be a child as well. The controller
/// retains its children, and children do not retain their parent. Use it on one actor, or in code
/// without one on one thread at a time.
public final class LifecycleController: LifecycleOwner {
  /// The lifecycle of the controller.
  public let lifecycle = Lifecycle()

  /// Creates a controller without children.
  public init() {}

  /// The children, in the order in which they were added.
  ///
  /// One that ends by itself is removed.
  ///
  /// - Complexity: O(1).
  public var children: [any LifecycleOwner] { lifecycle.children }

  /// Adds a child.
  ///
  /// It is brought up to the phase of the controller, moment by moment, and follows it from then
  /// on.
  ///
  /// A child of another controller is removed there first. One that is there already is added once. The
  /// controller itself, a controller that it is a child of, and an owner that has ended are not
  /// added, and one diagnostic is reported.
  ///
  /// - Parameter child: The owner to add.
  ///
  /// - Complexity: O(*n*) in the number of children and ancestors.
  public func addChild(_ child: any LifecycleOwner) {
    lifecycle.addChild(child)
  }

  /// Removes a child.
  ///
  /// If it is on screen it disappears, moment by moment; it does not end. It does nothing if it is
  /// not a child of the controller.
  ///
  /// - Parameter child: The owner to remove.
  ///
  /// - Complexity: O(*n*) in the number of children.
  public func removeChild(_ child: any LifecycleOwner) {
    lifecycle.removeChild(child)
  }
}
