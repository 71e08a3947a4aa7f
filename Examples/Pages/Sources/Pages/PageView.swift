import CGtk
import GTKLifecycle

/// The widgets of one page.
@MainActor
struct PageView {
  static let width: Int32 = 600
  static let height: Int32 = 280

  let root: Widget
  /// The entry in which the title is edited.
  let title: Widget

  init(of page: Page) {
    let planet = page.planet
    let disc = Widgets.box(GTK_ORIENTATION_VERTICAL, style: "planet", children: [])
    gtk_widget_set_size_request(disc, 150, 150)
    gtk_widget_set_valign(disc, GTK_ALIGN_START)
    title = gtk_entry_new()!
    let text = Widgets.label(planet.text, style: "text")
    let about = Widgets.box(
      GTK_ORIENTATION_VERTICAL, spacing: 14, children: [title, text, Self.facts(of: planet)])
    gtk_widget_set_hexpand(about, 1)
    root = Widgets.box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 30, style: "page", Style.name(of: planet),
      children: [disc, about])
    gtk_widget_set_size_request(root, Self.width, Self.height)
    for side in [disc, about] {
      gtk_widget_set_margin_top(side, 34)
      gtk_widget_set_margin_bottom(side, 24)
    }
    gtk_widget_set_margin_start(disc, 36)
    gtk_widget_set_margin_end(about, 36)
  }

  private static func facts(of planet: Planet) -> Widget {
    let grid = gtk_grid_new()!
    gtk_grid_set_column_spacing(grid.cast(), 28)
    for (index, fact) in planet.facts.enumerated() {
      let (column, row) = (Int32(index % 2), Int32(index / 2))
      let name = Widgets.label(fact.0, style: "fact")
      let value = Widgets.label(fact.1, style: "value")
      if row > 0 { gtk_widget_set_margin_top(name, 8) }
      gtk_grid_attach(grid.cast(), name, column, 2 * row, 1, 1)
      gtk_grid_attach(grid.cast(), value, column, 2 * row + 1, 1, 1)
    }
    return grid
  }
}
