import CGtk
public import LifecycleObserving

extension Widget {
  /// Moves a lifecycle by the moments of the widget, from now until the widget is destroyed.
  ///
  /// `realize` is did load, `map` will appear, the first paint after it did appear, `unmap` will and did
  /// disappear, and `destroy` the end. Moments that have passed are made up for at once.
  ///
  /// A callback of the lifecycle may destroy the window that the widget is in, but not in did load and in
  /// will appear, where GTK has begun to show it. The widget exists until all have been notified of its
  /// disappearance.
  ///
  /// - Parameter lifecycle: The lifecycle, which the widget retains. Nothing else should move it.
  @MainActor
  public func drive(_ lifecycle: Lifecycle) {
    onMoment { moment in
      switch moment {
      case .realized: lifecycle.move(to: .loaded)
      case .mapped: lifecycle.move(to: .appearing)
      case .painted: lifecycle.move(to: .visible)
      case .unmapped: lifecycle.move(to: .loaded)
      case .destroyed: lifecycle.move(to: .ended)
      }
    }
  }
}

extension LifecycleDelivery {
  /// After the layout in which a value changes, or the next one, and before the frame is painted.
  ///
  /// Changes of a value that GTK makes in a layout are true only when the layout is over:
  /// ``Widget/afterLayout(_:)``.
  ///
  /// - Parameter widget: A widget of the window that is laid out, such as the window itself.
  /// - Returns: The delivery.
  @MainActor
  public static func afterLayout(of widget: Widget) -> LifecycleDelivery {
    .later { work in widget.afterLayout(work) }
  }
}
