import CGtk

/// The style sheet of the windows.
@MainActor
enum Style {
  /// Adds the style to the display, for all windows.
  ///
  /// Further calls do nothing.
  static func use() {
    _ = provider
  }

  private static let provider = {
    let provider = gtk_css_provider_new()
    gtk_css_provider_load_from_data(provider, sheet, -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), OpaquePointer(provider),
      guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    return provider
  }()

  /// The style class of a planet's page, and, with `.planet` inside it, of the planet.
  static func name(of planet: Planet) -> String {
    planet.name.lowercased()
  }

  private static var sheet: String {
    let planets = Planet.all.map {
      """
      .page.\(name(of: $0)) { background: \($0.pageColor); }
      .\(name(of: $0)) .planet {
        background: radial-gradient(circle at 35% 30%, mix(\($0.color), white, 0.45), \($0.color) 55%,
          mix(\($0.color), black, 0.45));
      }
      """
    }
    return common + planets.joined(separator: "\n")
  }

  private static let common = """
    .page { color: #23262b; font-family: "DejaVu Sans", sans-serif; }
    .planet { border-radius: 50%; box-shadow: 0 6px 18px alpha(black, 0.25); }
    .page entry {
      background: none; border: none; box-shadow: none; outline: none; color: inherit;
      font-family: "DejaVu Serif", serif; font-size: 30px; font-weight: bold; padding: 0;
      border-bottom: 1px solid alpha(currentColor, 0.25); border-radius: 0;
    }
    .text { font-size: 14px; }
    .fact { font-size: 13px; opacity: 0.65; }
    .value { font-size: 15px; font-weight: bold; }
    .footer { padding: 4px 8px 4px 14px; font-size: 13px; }

    """
}
