// See the file for UIKit: stand-ins set a condition of their own.
#if canImport(AppKit) && !targetEnvironment(macCatalyst) && (canImport(ObjectiveC) || APPLE_STAND_INS)
  public import AppKit

  extension NSViewController: @MainActor LifecycleOwner {
    /// The lifecycle of the controller, which moves with its view.
    ///
    /// A child controller with a view of no size follows it. It is added when this is read for the first
    /// time, which loads the view: read it, observe and add lifecycle observers in `viewDidLoad()` or
    /// later. A controller that loads its view once more keeps its lifecycle, and follows the new view when
    /// this is read again.
    ///
    /// Controllers that show all of their children, such as a tab view controller, are no owners; the
    /// controllers in them are.
    ///
    /// - Complexity: O(*n*) in the number of children.
    public var lifecycle: Lifecycle { NSLifecycleViewController.following(self).ownerLifecycle }
  }

  /// The child that follows a controller.
  final class NSLifecycleViewController: NSViewController {
    let ownerLifecycle = Lifecycle()

    static func following(_ owner: NSViewController) -> NSLifecycleViewController {
      let found = owner.children.lazy.compactMap { $0 as? NSLifecycleViewController }.first
      let follower = found ?? NSLifecycleViewController()
      if found == nil { owner.addChild(follower) }
      // Loading the view may have come here already, in `viewDidLoad()`.
      let view = owner.view
      if follower.view.superview !== view { view.addSubview(follower.view) }
      return follower
    }

    override func loadView() {
      view = NSView()
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      if ownerLifecycle.phase == .created { ownerLifecycle.move(to: .loaded) }
    }

    override func viewWillAppear() {
      super.viewWillAppear()
      ownerLifecycle.move(to: .appearing)
    }

    override func viewDidAppear() {
      super.viewDidAppear()
      ownerLifecycle.move(to: .visible)
    }

    override func viewWillDisappear() {
      super.viewWillDisappear()
      // The end of an appearance that began before the child was there is none of the lifecycle.
      if Lifecycle.Span.presented.contains(ownerLifecycle.phase) {
        ownerLifecycle.move(to: .disappearing)
      }
    }

    override func viewDidDisappear() {
      super.viewDidDisappear()
      ownerLifecycle.move(to: .loaded)
    }
  }
#endif
