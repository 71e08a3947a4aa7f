import CGtk
import GTKLifecycle

/// What the program does with its options.
@MainActor
enum Program {
  static func run(_ arguments: [String]) throws(Refusal) {
    let options = try Options(arguments)
    guard !options.wantsHelp else { return print(Refusal.usage) }
    try options.checkScreenshot()
    guard gtk_init_check() != 0 else { throw Refusal.noDisplay }
    Style.use()
    if let cycles = options.cycles {
      try Cycles.run(cycles, pages: options.pages)
    } else {
      try show(options)
    }
  }

  /// Shows a window until it is closed, or, for a screenshot, until it has been painted.
  private static func show(_ options: Options) throws(Refusal) {
    let screen = PagesScreen(Book(pages: options.pages, openedAt: options.start))
    let window = screen.view.window
    var isOpen = true
    var isSaved = true
    window.onMoment { moment in
      switch moment {
      case .painted:
        guard let file = options.screenshot else { return }
        isSaved = window.savePicture(to: file)
        gtk_window_destroy(window.cast())
      case .destroyed: isOpen = false
      default: break
      }
    }
    screen.show()
    while isOpen { g_main_context_iteration(nil, 1) }
    guard isSaved else {
      throw Refusal.unwritable(options.screenshot ?? "", because: "the picture was not saved")
    }
  }
}
