import CGtk
import GTKLifecycle

/// Functions that make widgets.
///
/// GTK's parent of each owns it.
@MainActor
enum Widgets {
  static func box(
    _ orientation: GtkOrientation, spacing: Int32 = 0, style: String..., children: [Widget]
  ) -> Widget {
    let box = gtk_box_new(orientation, spacing)!
    for name in style { gtk_widget_add_css_class(box, name) }
    for child in children { gtk_box_append(box.cast(), child) }
    return box
  }

  /// Makes a label whose lines are cut short where they are too long: a page is as wide as the view,
  /// however wide the font is.
  static func label(_ text: String = "", style: String) -> Widget {
    let label = gtk_label_new(text)!
    gtk_label_set_xalign(OpaquePointer(label), 0)
    gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
    gtk_widget_add_css_class(label, style)
    return label
  }

  static func button(_ label: String, pressed: @escaping @MainActor () -> Void) -> Widget {
    let button = gtk_button_new_with_label(label)!
    connect("clicked", of: button, handler: pressed)
    return button
  }
}
