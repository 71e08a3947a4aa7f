/// A moment in the lifecycle of a widget.
public enum WidgetMoment: Sendable {
  /// The widget has its resources (`realize`).
  case realized
  /// The widget is going to be laid out and painted (`map`). Sizes are not known yet.
  case mapped
  /// The widget has been painted for the first time since it was mapped.
  case painted
  /// The widget is not on the screen any more (`unmap`).
  case unmapped
  /// The widget is being disposed of (`destroy`).
  case destroyed
}
