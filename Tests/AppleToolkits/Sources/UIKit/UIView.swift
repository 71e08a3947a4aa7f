// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A view: a tree, and the controller that it belongs to.
@MainActor
open class UIView {
  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []
  public var isUserInteractionEnabled = true
  weak var controller: UIViewController?

  public init() {}

  /// The window at the root of the tree.
  public var window: UIWindow? { self as? UIWindow ?? superview?.window }

  public func addSubview(_ view: UIView) {
    let former = view.window
    view.superview?.subviews.removeAll { $0 === view }
    let isEntering = former == nil && window != nil
    if isEntering { view.controllers.forEach { $0.windowWillChange(isAppearing: true) } }
    view.superview = self
    subviews.append(view)
    if isEntering { view.controllers.forEach { $0.windowDidChange() } }
  }

  public func removeFromSuperview() {
    guard let superview else { return }
    let isLeaving = window != nil
    if isLeaving { controllers.forEach { $0.windowWillChange(isAppearing: false) } }
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    if isLeaving { controllers.forEach { $0.windowDidChange() } }
  }

  public func isDescendant(of view: UIView) -> Bool {
    sequence(first: self, next: \.superview).contains { $0 === view }
  }

  /// The topmost controllers in the tree: each forwards to its children.
  private var controllers: [UIViewController] {
    controller.map { [$0] } ?? subviews.flatMap(\.controllers)
  }
}

/// A window, which shows the view of its controller.
@MainActor
public final class UIWindow: UIView {
  public var rootViewController: UIViewController? {
    didSet {
      oldValue?.view.removeFromSuperview()
      if !isHidden { show() }
    }
  }

  public private(set) var isHidden = true

  public func makeKeyAndVisible() {
    isHidden = false
    show()
  }

  public func hide() {
    isHidden = true
    rootViewController?.view.removeFromSuperview()
  }

  private func show() {
    if let view = rootViewController?.view { addSubview(view) }
  }
}
