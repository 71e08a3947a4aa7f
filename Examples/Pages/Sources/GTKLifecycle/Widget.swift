public import CGtk

/// A widget, as GTK passes it around.
///
/// It is not retained.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

extension Widget {
  /// The widget as another one of its classes, as the macros `GTK_BOX` and the like do in C.
  ///
  /// The class is not checked: GTK's functions report it if it is the wrong one.
  public func cast<Class>() -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
  }

  /// Calls a closure in each moment of the widget's lifecycle, until the widget is destroyed.
  ///
  /// The closure is called on the main thread, in the order of the moments. A widget that is
  /// realized or mapped already delivers these moments at once.
  ///
  /// - Parameter handler: The closure, which the widget retains.
  @MainActor
  public func onMoment(_ handler: @escaping @MainActor (WidgetMoment) -> Void) {
    WidgetFrames.of(self).addHandler(handler)
  }

  /// Calls a closure once, after the next layout and before the frame of that layout is painted.
  ///
  /// A value that GTK delivers inside a layout, such as the size of content, can be used only when that
  /// layout is over: a scroll position that is set inside it moves the scrollbar but not the content,
  /// whose position GTK has decided already. Set after the layout, it causes another one in the same
  /// frame.
  ///
  /// Called inside a layout, the closure belongs to that layout. If none is due, one is requested.
  /// A widget that is not mapped keeps the closure for its first layout; when it is unmapped,
  /// closures that wait are released without being called.
  ///
  /// - Parameter work: The closure. It may also remove widgets and destroy the window, neither of which
  ///   GTK allows inside a layout.
  @MainActor
  public func afterLayout(_ work: @escaping () -> Void) {
    WidgetFrames.of(self).addWorkAfterLayout(work)
  }
}
