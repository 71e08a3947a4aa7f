// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A view controller: its view, its children, and the documented order of its lifecycle calls.
@MainActor
open class UIViewController {
  private enum Appearance {
    case disappeared, appearing, appeared, disappearing
  }

  private var loadedView: UIView?
  private var appearance = Appearance.disappeared
  public private(set) weak var parent: UIViewController?
  public private(set) var children: [UIViewController] = []
  /// Whether the controller was added to a parent, and not yet notified that it did move there.
  public private(set) var isMovingToParent = false

  public init() {}

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The view, loaded when it is read.
  ///
  /// Setting nil unloads it; reading loads it once more.
  public var view: UIView! {
    get {
      if loadedView == nil {
        loadView()
        viewDidLoad()
      }
      return loadedView
    }
    set {
      loadedView?.controller = nil
      newValue?.controller = self
      loadedView = newValue
    }
  }

  public var isViewLoaded: Bool { loadedView != nil }

  open func loadView() { view = UIView() }
  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func willMove(toParent parent: UIViewController?) {}
  open func didMove(toParent parent: UIViewController?) { isMovingToParent = false }

  /// Whether the children receive the appearance calls of their parent.
  open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

  /// Adds a child.
  ///
  /// It is notified that it will move; that it did is said by who adds it.
  public func addChild(_ child: UIViewController) {
    child.willMove(toParent: self)
    child.parent?.children.removeAll { $0 === child }
    child.parent = self
    child.isMovingToParent = true
    children.append(child)
  }

  /// Removes the controller from its parent.
  ///
  /// It is notified that it did move.
  public func removeFromParent() {
    parent?.children.removeAll { $0 === self }
    parent = nil
    didMove(toParent: nil)
  }

  /// Begins an appearance or a disappearance; one that is under way in the other direction is cancelled.
  public func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    if isAppearing {
      guard appearance == .disappeared || appearance == .disappearing else { return }
      _ = view
      appearance = .appearing
      viewWillAppear(animated)
    } else {
      guard appearance == .appeared || appearance == .appearing else { return }
      appearance = .disappearing
      viewWillDisappear(animated)
    }
    forward { $0.beginAppearanceTransition(isAppearing, animated: animated) }
  }

  /// Ends what was begun last.
  public func endAppearanceTransition() {
    switch appearance {
    case .appearing:
      appearance = .appeared
      viewDidAppear(false)
    case .disappearing:
      appearance = .disappeared
      viewDidDisappear(false)
    case .appeared, .disappeared: return
    }
    forward { $0.endAppearanceTransition() }
  }

  /// The children whose views are in the controller's own receive its calls.
  private func forward(_ call: (UIViewController) -> Void) {
    guard shouldAutomaticallyForwardAppearanceMethods, let view = loadedView else { return }
    for child in children where child.loadedView?.isDescendant(of: view) == true { call(child) }
  }

  /// The view comes into a window, or leaves it, outside of a transition.
  func windowWillChange(isAppearing: Bool) {
    if parent?.isInTransition != true { beginAppearanceTransition(isAppearing, animated: false) }
  }

  func windowDidChange() {
    if parent?.isInTransition != true { endAppearanceTransition() }
  }

  /// Whether the appearance calls come from a transition, which ends later.
  var isInTransition: Bool { appearance == .appearing || appearance == .disappearing }
}
