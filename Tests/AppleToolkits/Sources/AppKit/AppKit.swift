// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A view: a tree, and the controller that it belongs to.
@MainActor
open class NSView {
  public private(set) weak var superview: NSView?
  public private(set) var subviews: [NSView] = []
  public fileprivate(set) weak var window: NSWindow?
  weak var controller: NSViewController?

  public init() {}

  public func addSubview(_ view: NSView) {
    view.superview?.subviews.removeAll { $0 === view }
    view.superview = self
    subviews.append(view)
    view.move(to: window)
  }

  public func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
    move(to: nil)
  }

  /// Each controller in the tree is notified by its own view, the outer ones first.
  fileprivate func move(to window: NSWindow?) {
    if self.window === window { return }
    let isAppearing = window != nil
    each { isAppearing ? $0.controller?.viewWillAppear() : $0.controller?.viewWillDisappear() }
    each { $0.window = window }
    each { isAppearing ? $0.controller?.viewDidAppear() : $0.controller?.viewDidDisappear() }
  }

  private func each(_ body: (NSView) -> Void) {
    body(self)
    for view in subviews { view.each(body) }
  }
}

/// A window, which shows the view of its controller.
@MainActor
public final class NSWindow {
  public var contentViewController: NSViewController?

  public init() {}

  public func makeKeyAndOrderFront(_ sender: Any?) { contentViewController?.view.move(to: self) }

  public func orderOut(_ sender: Any?) { contentViewController?.view.move(to: nil) }
}

/// A view controller: its view, its children, and the documented order of its lifecycle calls.
@MainActor
open class NSViewController {
  private var loadedView: NSView?
  public private(set) weak var parent: NSViewController?
  public private(set) var children: [NSViewController] = []

  public init() {}

  /// The view, loaded when it is read.
  public var view: NSView {
    get {
      if let loadedView { return loadedView }
      loadView()
      viewDidLoad()
      return loadedView ?? NSView()
    }
    set {
      loadedView?.controller = nil
      newValue.controller = self
      loadedView = newValue
    }
  }

  public var isViewLoaded: Bool { loadedView != nil }

  open func loadView() { view = NSView() }
  open func viewDidLoad() {}
  open func viewWillAppear() {}
  open func viewDidAppear() {}
  open func viewWillDisappear() {}
  open func viewDidDisappear() {}

  public func addChild(_ child: NSViewController) {
    child.removeFromParent()
    child.parent = self
    children.append(child)
  }

  public func removeFromParent() {
    parent?.children.removeAll { $0 === self }
    parent = nil
  }
}
