import CGtk

extension Widget {
  /// Renders the widget as it is painted, with the renderer of its window.
  ///
  /// - Returns: The picture, which the caller owns, or nil where the widget is not on the screen.
  @MainActor
  private func picture() -> OpaquePointer? {
    guard let native = gtk_widget_get_native(self), let renderer = gtk_native_get_renderer(native)
    else { return nil }
    let paintable = gtk_widget_paintable_new(self)
    let snapshot = gtk_snapshot_new()
    defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
    gdk_paintable_snapshot(
      paintable, snapshot, Double(gdk_paintable_get_intrinsic_width(paintable)),
      Double(gdk_paintable_get_intrinsic_height(paintable)))
    guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
    defer { gsk_render_node_unref(node) }
    return gsk_renderer_render_texture(renderer, node, nil)
  }

  /// Writes the widget to a file, as it is painted.
  ///
  /// - Parameter file: The path of the file, a PNG.
  /// - Returns: Whether the widget is on the screen and the file could be written.
  /// - Complexity: Renders the widget once.
  @MainActor
  public func savePicture(to file: String) -> Bool {
    guard let picture = picture() else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
    return gdk_texture_save_to_png(picture, file) != 0
  }
}
