import CGtk

/// The frames in which a widget is laid out and painted.
///
/// The widget owns the object, which is made by the first function that needs it.
@MainActor
final class WidgetFrames {
  private let widget: Widget
  private var handlers: [(WidgetMoment) -> Void] = []
  private var workAfterLayout: [() -> Void] = []
  /// The connections to the frame clock, from `map` to `unmap`.
  private var layouts: SignalConnection?
  private var firstPaint: SignalConnection?
  /// Whether the widget has been painted since it was mapped.
  private var isPainted = false

  /// Returns the frames of a widget, the same object each time.
  static func of(_ widget: Widget) -> WidgetFrames {
    if let frames = g_object_get_data(widget.cast(), key) {
      return Unmanaged<WidgetFrames>.fromOpaque(frames).takeUnretainedValue()
    }
    let frames = WidgetFrames(widget)
    g_object_set_data_full(widget.cast(), key, Unmanaged.passRetained(frames).toOpaque()) {
      Unmanaged<WidgetFrames>.fromOpaque($0!).release()
    }
    frames.connectToWidget()
    return frames
  }

  private static let key = "swift-widget-frames"

  private init(_ widget: Widget) {
    self.widget = widget
  }

  func addHandler(_ handler: @escaping (WidgetMoment) -> Void) {
    handlers.append(handler)
    if gtk_widget_get_realized(widget) != 0 { handler(.realized) }
    if gtk_widget_get_mapped(widget) != 0 { handler(.mapped) }
    if isPainted { handler(.painted) }
  }

  /// Adds work for the end of the next layout, and asks for one where the widget is mapped.
  func addWorkAfterLayout(_ work: @escaping () -> Void) {
    if Mistake.runsWorkInsideLayout { return work() }
    workAfterLayout.append(work)
    if let clock = gtk_widget_get_frame_clock(widget), layouts != nil {
      gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_LAYOUT)
    }
  }

  private func connectToWidget() {
    connect("realize", of: widget) { [unowned self] in notify(.realized) }
    connect("map", of: widget) { [unowned self] in
      followFrames()
      notify(.mapped)
    }
    connect("unmap", of: widget) { [unowned self] in
      ignoreFrames()
      notify(.unmapped)
    }
    connect("destroy", of: widget) { [unowned self] in
      notify(.destroyed)
      handlers = []
    }
    if gtk_widget_get_mapped(widget) != 0 {
      followFrames()
      // It may have been painted for the last time.
      gtk_widget_queue_draw(widget)
    }
  }

  private func notify(_ moment: WidgetMoment) {
    // A handler may destroy the widget; the others are called before its end.
    let reference = g_object_ref(widget)
    for handler in handlers { handler(moment) }
    g_object_unref(reference)
  }

  /// Connects to the frame clock.
  ///
  /// The handler of `layout` is connected before the first layout, because an emission does not call
  /// handlers that are connected meanwhile. It is the last one, because GTK connects its own anew for
  /// each layout.
  private func followFrames() {
    guard let clock = gtk_widget_get_frame_clock(widget).map(UnsafeMutableRawPointer.init) else {
      return
    }
    disconnectFromClock()
    layouts = connect("layout", of: clock, .last) { [unowned self] in runWorkAfterLayout() }
    firstPaint = connect("paint", of: clock, .last) { [unowned self] in
      firstPaint?.disconnect()
      firstPaint = nil
      isPainted = true
      notify(.painted)
    }
  }

  private func ignoreFrames() {
    disconnectFromClock()
    isPainted = false
    workAfterLayout = []
  }

  private func disconnectFromClock() {
    layouts?.disconnect()
    firstPaint?.disconnect()
    (layouts, firstPaint) = (nil, nil)
  }

  private func runWorkAfterLayout() {
    let work = workAfterLayout
    workAfterLayout = []
    // Work that unmaps the widget is the last, and ends before the widget does.
    let reference = g_object_ref(widget)
    for work in work where layouts != nil { work() }
    g_object_unref(reference)
  }
}
