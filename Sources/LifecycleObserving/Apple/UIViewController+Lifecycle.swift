// Stand-ins for Apple's frameworks, with which tests compile this file elsewhere, set a condition of their
// own: a module of this name may be anything there.
#if canImport(UIKit) && !os(watchOS) && (canImport(ObjectiveC) || APPLE_STAND_INS)
  public import UIKit

  extension UIViewController: @MainActor LifecycleOwner {
    /// The lifecycle of the controller, which moves with its view.
    ///
    /// A child controller with a view of no size follows it, because UIKit notifies children of what it
    /// notifies their parent of. It is added when this is read for the first time, which loads the view:
    /// read it, observe and add lifecycle observers in `viewDidLoad()` or later. A controller that loads
    /// its view once more keeps its lifecycle, and follows the new view when this is read again.
    ///
    /// A controller that was presented and goes away does not have to end anything: its lifecycle goes
    /// with it. Removing the child controller ends the lifecycle. Containers that show all of their
    /// children, such as a navigation controller, are no owners; the controllers in them are.
    ///
    /// - Complexity: O(*n*) in the number of children.
    public var lifecycle: Lifecycle { UILifecycleViewController.following(self).ownerLifecycle }
  }

  /// The child that follows a controller.
  final class UILifecycleViewController: UIViewController {
    let ownerLifecycle = Lifecycle()

    static func following(_ owner: UIViewController) -> UILifecycleViewController {
      let found = owner.children.lazy.compactMap { $0 as? UILifecycleViewController }.first
      let follower = found ?? UILifecycleViewController()
      if found == nil { owner.addChild(follower) }
      // Loading the view may have come here already, in `viewDidLoad()`.
      if let view = owner.view, follower.view.superview !== view {
        view.addSubview(follower.view)
      }
      if found == nil { follower.didMove(toParent: owner) }
      return follower
    }

    override func loadView() {
      view = UIView()
      view.isUserInteractionEnabled = false
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      if ownerLifecycle.phase == .created { ownerLifecycle.move(to: .loaded) }
    }

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      ownerLifecycle.move(to: .appearing)
    }

    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      ownerLifecycle.move(to: .visible)
    }

    override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      // The end of an appearance that began before the child was there is none of the lifecycle.
      if Lifecycle.Span.presented.contains(ownerLifecycle.phase) {
        ownerLifecycle.move(to: .disappearing)
      }
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      ownerLifecycle.move(to: .loaded)
    }

    override func didMove(toParent parent: UIViewController?) {
      super.didMove(toParent: parent)
      if parent == nil { ownerLifecycle.move(to: .ended) }
    }
  }
#endif
