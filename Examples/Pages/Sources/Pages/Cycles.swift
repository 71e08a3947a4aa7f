import LifecycleObserving

/// Opens and closes screens, one after the other.
@MainActor
enum Cycles {
  /// Opens each screen on another page, and closes it when it has been painted.
  ///
  /// - Throws: ``Refusal/leftovers(_:)`` if an object of them is left when all are closed.
  static func run(_ count: Int, pages: Int) throws(Refusal) {
    let census = Census()
    for cycle in 0..<count { openAndClose(1 + cycle % pages, of: pages, census) }
    let text = "\(count) windows, of which \(census.text) are left."
    guard census.isEmpty else { throw Refusal.leftovers(text) }
    print(text)
  }

  private static func openAndClose(_ start: Int, of pages: Int, _ census: Census) {
    let screen = PagesScreen(Book(pages: pages, openedAt: start))
    screen.addLifecycleObserver(Closing(census))
    screen.show()
    Program.run(screen.lifecycle)
  }
}

/// Counts what a screen consists of when it has appeared, and closes it.
@MainActor
private final class Closing: @MainActor LifecycleObserver {
  private let census: Census

  init(_ census: Census) {
    self.census = census
  }

  func didAppear(_ owner: any LifecycleOwner) {
    guard let screen = owner as? PagesScreen else { return }
    census.add(screen)
    screen.close()
  }
}
