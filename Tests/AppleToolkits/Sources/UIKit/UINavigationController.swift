// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stack of controllers, the last of which is shown, with a pop that a finger may cancel.
public final class UINavigationController: UIViewController {
  private var isInPop = false

  public init(rootViewController: UIViewController) {
    super.init()
    addChild(rootViewController)
    rootViewController.didMove(toParent: self)
  }

  public override func viewDidLoad() {
    super.viewDidLoad()
    if let top = children.last { view.addSubview(top.view) }
  }

  public func pushViewController(_ controller: UIViewController, animated: Bool) {
    let former = children.last
    addChild(controller)
    exchange(former, with: controller, animated: animated)
    finish(former, controller)
    controller.didMove(toParent: self)
  }

  public func popViewController(animated: Bool) {
    beginInteractivePop()
    finishInteractivePop()
  }

  /// A finger begins to drag the controller away.
  public func beginInteractivePop() {
    guard children.count > 1 else { return }
    isInPop = true
    exchange(children.last, with: children[children.count - 2], animated: true)
  }

  /// The finger lets the controller slide back: it appears once more, and the one below disappears.
  public func cancelInteractivePop() {
    guard isInPop else { return }
    isInPop = false
    let (top, below) = (children[children.count - 1], children[children.count - 2])
    below.beginAppearanceTransition(false, animated: true)
    top.beginAppearanceTransition(true, animated: true)
    finish(below, top)
  }

  /// The finger has dragged the controller away.
  public func finishInteractivePop() {
    guard isInPop else { return }
    isInPop = false
    let (top, below) = (children[children.count - 1], children[children.count - 2])
    top.willMove(toParent: nil)
    finish(top, below)
    top.removeFromParent()
  }

  private func exchange(
    _ former: UIViewController?, with next: UIViewController, animated: Bool
  ) {
    former?.beginAppearanceTransition(false, animated: animated)
    next.beginAppearanceTransition(true, animated: animated)
  }

  private func finish(_ former: UIViewController?, _ next: UIViewController) {
    former?.view.removeFromSuperview()
    view.addSubview(next.view)
    former?.endAppearanceTransition()
    next.endAppearanceTransition()
  }
}
