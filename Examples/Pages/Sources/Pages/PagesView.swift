import CGtk
import GTKLifecycle

/// The widgets of a window: pages side by side in a scrolled view, and a status line under them.
///
/// GTK's window owns them all; the pointers are valid as long as it exists.
@MainActor
struct PagesView {
  let window: Widget
  let scroller: Widget
  let pageBox: Widget
  let status: Widget
  private let header: Widget
  private let footer: Widget

  init() {
    pageBox = Widgets.box(GTK_ORIENTATION_HORIZONTAL, children: [])
    scroller = gtk_scrolled_window_new()!
    gtk_scrolled_window_set_policy(
      OpaquePointer(scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER)
    gtk_scrolled_window_set_child(OpaquePointer(scroller), pageBox)
    gtk_widget_set_size_request(scroller, PageView.width, PageView.height)
    status = Widgets.label(style: "status")
    gtk_widget_set_hexpand(status, 1)
    header = gtk_header_bar_new()!
    footer = Widgets.box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 6, style: "footer", children: [status])
    window = gtk_window_new()!
    gtk_window_set_title(window.cast(), "Pages")
    gtk_window_set_titlebar(window.cast(), header)
    gtk_window_set_resizable(window.cast(), 0)
    gtk_window_set_child(
      window.cast(), Widgets.box(GTK_ORIENTATION_VERTICAL, children: [scroller, footer]))
  }

  /// Adds a button that turns pages to the header.
  func addTurn(_ label: String, pressed: @escaping @MainActor () -> Void) {
    gtk_header_bar_pack_start(OpaquePointer(header), Widgets.button(label, pressed: pressed))
  }

  /// Adds a button behind the status line.
  func addButton(_ label: String, pressed: @escaping @MainActor () -> Void) {
    let button = Widgets.button(label, pressed: pressed)
    gtk_widget_add_css_class(button, "flat")
    gtk_box_append(footer.cast(), button)
  }
}
