import Foundation
import LifecycleObserving
import Testing

@KeyValueObservable
private final class Document {
  var title = ""
}

private enum Example {
  // guide: screen
  final class Screen: LifecycleOwner {
    let lifecycle = Lifecycle()
    private(set) var header = ""

    init(_ document: Document) {
      document.observe(\.title, while: .presented, of: self, options: [.initial, .new]) {
        screen, change in screen.header = change.newValue ?? ""
      }
    }
  }
  // end

  // guide: observer
  final class ScreenLog: LifecycleObserver {
    func didAppear(_ owner: any LifecycleOwner) { print("shown: \(type(of: owner))") }
  }
  // end

  // guide: main-actor
  @MainActor
  final class MainScreen: @MainActor LifecycleOwner {
    let lifecycle = Lifecycle()
  }
  // end
}

@KeyValueObservable
private final class Adjustment {
  var upper = 0
}

private final class Page: LifecycleOwner {
  let lifecycle = Lifecycle()
  var scroller: Scroller?
  private(set) var position = 0

  func jump(within upper: Int) { position = upper / 2 }

  func show(_ size: Int) { position = size }
}

private final class FrameClock {
  private(set) var work: [() -> Void] = []

  func afterLayout(_ work: @escaping () -> Void) { self.work.append(work) }

  func layOut() {
    let due = work
    work = []
    for work in due { work() }
  }
}

@Suite("The page on lifecycles")
struct PageTests {
  @Test("A screen as the page declares it has the title of its document while it is presented")
  func screen() {
    let document = Document()
    let screen = Example.Screen(document)
    document.title = "a"
    #expect(screen.header == "")
    screen.lifecycle.move(to: .visible)
    #expect(screen.header == "a")
    document.title = "b"
    screen.lifecycle.move(to: .loaded)
    document.title = "c"
    #expect(screen.header == "b")
  }

  @Test("A subject that comes later is observed as the page says")
  func subject() {
    let screen = Page()
    // guide: subject
    Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller, options: [.initial, .new]
    ) { screen, change in screen.show(change.newValue ?? 0) }
    // end
    screen.lifecycle.move(to: .appearing)
    screen.scroller = Scroller(5)
    screen.lifecycle.move(to: .visible)
    #expect(screen.position == 5)
  }

  @Test("A handler that is called later jumps after the layout, as the page says")
  func later() {
    let (page, adjustment, clock) = (Page(), Adjustment(), FrameClock())
    // guide: later
    adjustment.observe(
      \.upper, while: .presented, of: page, options: [.initial, .new],
      deliver: .later { work in clock.afterLayout(work) }
    ) { page, change in page.jump(within: change.newValue ?? 0) }
    // end
    page.lifecycle.move(to: .appearing)
    adjustment.upper = 3000
    #expect(page.position == 0)
    clock.layOut()
    #expect(page.position == 1500)
  }

  @Test("A controller moves as the page says")
  func controller() {
    let screenLog = Example.ScreenLog()
    // guide: controller
    let session = LifecycleController()
    let sidebar = LifecycleController()
    session.addChild(sidebar)
    session.addLifecycleObserver(screenLog)
    session.lifecycle.move(to: .visible)  // did load, will appear, did appear
    session.lifecycle.move(to: .ended)  // will disappear, did disappear
    // end
    #expect(sidebar.lifecycle.phase == .ended)
  }

  @Test("Every block of the page but what stood before is code of these tests")
  func blocks() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let catalog = "Sources/KeyValueObservingCore/KeyValueObservingCore.docc"
    let page = try text("\(catalog)/Integrations/Lifecycles.md")
    let files = [
      "LifecycleObservingTests/PageTests.swift",
      "AppleToolkits/Tests/AppleToolkitTests/PageTests.swift",
    ]
    let marked = try files.map {
      pieces(of: try text("Tests/\($0)"), from: "// guide: ", to: "// end")
    }
    .reduce([:]) { $0.merging($1) { first, _ in first } }
    let shown = pieces(of: page, from: "<!-- guide: ", to: "```")
    #expect(shown.count == page.components(separatedBy: "```swift").count - 2)
    #expect(shown.keys.sorted() == marked.keys.sorted())
    for (name, code) in shown { #expect(code == marked[name], "\(name)") }
  }

  /// The lines between markers, by name, without the indentation that they share.
  private func pieces(of text: String, from marker: String, to end: String) -> [String: String] {
    var pieces: [String: String] = [:]
    var lines = text.components(separatedBy: "\n").makeIterator()
    while let line = lines.next() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard trimmed.hasPrefix(marker) else { continue }
      let name = trimmed.dropFirst(marker.count).prefix { $0 != " " }
      var piece: [String] = []
      while let line = lines.next(), line.trimmingCharacters(in: .whitespaces) != end {
        if line != "```swift" { piece.append(line) }
      }
      let indentation =
        piece.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      pieces[String(name)] = piece.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }
    return pieces
  }
}
