import CGtk
import Glibc
import GTKLifecycle
import KeyValueObservingGObject
import LifecycleObserving

/// The program, apart from its errors.
@MainActor
enum Program {
  static func run(_ arguments: [String]) throws(Refusal) {
    let options = try Options(arguments)
    guard !options.wantsHelp else { return print(Refusal.usage) }
    try options.checkScreenshot()
    guard gtk_init_check() != 0 else { throw Refusal.noDisplay }
    #if DEBUG
      Mistake.runsWorkInsideLayout = getenv("PAGES_JUMPS_INSIDE_LAYOUT") != nil
    #endif
    // Changes that other threads make reach observers on the main actor, too.
    GLibMainLoop.servesMainActor()
    Style.use()
    if let cycles = options.cycles {
      try Cycles.run(cycles, pages: options.pages)
    } else {
      try show(options)
    }
  }

  /// Shows a screen until it is closed, or, for a screenshot, until it has been painted.
  private static func show(_ options: Options) throws(Refusal) {
    let screen = PagesScreen(Book(pages: options.pages, openedAt: options.start))
    screen.addLifecycleObserver(ScreenLog())
    let screenshot = options.screenshot.map(Screenshot.init)
    if let screenshot { screen.addLifecycleObserver(screenshot) }
    screen.show()
    run(screen.lifecycle)
    if let screenshot, !screenshot.isSaved {
      throw Refusal.unwritable(screenshot.file, because: "the picture was not saved")
    }
  }

  /// Runs GLib's main loop until a screen has ended.
  static func run(_ lifecycle: Lifecycle) {
    while lifecycle.phase != .ended { g_main_context_iteration(nil, 1) }
  }
}
