import CGtk
import GTKLifecycle
import XCTest

/// A window around a scrolled view that is smaller than its content, and a log of what happens.
@MainActor
final class WindowTrial {
  let window: Widget
  let adjustment: UnsafeMutablePointer<GtkAdjustment>
  var log: [String] = []
  private(set) var isOpen = true

  init() {
    XCTAssertNotEqual(gtk_init_check(), 0, "There is no display: run this test with xvfb-run.")
    let content = gtk_label_new("")
    gtk_widget_set_size_request(content, 900, 100)
    let scroller = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(OpaquePointer(scroller), content)
    gtk_widget_set_size_request(scroller, 300, 100)
    window = gtk_window_new()!
    gtk_window_set_child(window.cast(), scroller)
    adjustment = gtk_scrolled_window_get_hadjustment(OpaquePointer(scroller))
    window.onMoment { [weak self] moment in
      if moment == .destroyed { self?.isOpen = false }
    }
  }

  /// Adds the moments of the window to the log.
  func logMoments() {
    window.onMoment { [weak self] moment in self?.log.append("\(moment)") }
  }

  /// Adds the signals of the frame clock to the log, as handlers in order receive them.
  func logFrames() {
    guard let clock = gtk_widget_get_frame_clock(window).map(UnsafeMutableRawPointer.init) else {
      return XCTFail("The window is not realized.")
    }
    for signal in ["layout", "paint"] {
      connect(signal, of: clock) { [weak self] in self?.log.append(signal) }
    }
  }

  /// The number of the present frame.
  var frame: Int {
    gtk_widget_get_frame_clock(window).map { Int(gdk_frame_clock_get_frame_counter($0)) } ?? -1
  }

  func show() {
    gtk_window_present(window.cast())
  }

  func hide() {
    gtk_widget_set_visible(window, 0)
  }

  func close() {
    gtk_window_destroy(window.cast())
  }

  /// Runs the main loop until the window is painted, or destroyed.
  func paint() {
    var isPainted = false
    guard isOpen, let clock = gtk_widget_get_frame_clock(window) else { return }
    let paint = connect("paint", of: UnsafeMutableRawPointer(clock), .last) { isPainted = true }
    while isOpen, !isPainted { g_main_context_iteration(nil, 1) }
    if isOpen { paint.disconnect() }
  }
}
