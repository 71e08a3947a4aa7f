import KeyValueObservingTesting
import LifecycleObserving
import Testing

@Suite("Lifecycles: subjects that come later")
struct SubjectTests {
  @Test("P84: an object that is set inside the span is observed, and its successor instead of it")
  func replaced() {
    let screen = ObservableScreen()
    Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller,
      options: [.initial, .old, .new]
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == [])
    let (first, second) = (Scroller(1), Scroller(10))
    screen.scroller = first
    first.contentSize = 2
    #expect(screen.take() == ["→1", "1→2"])
    screen.scroller = first
    #expect(screen.take() == [])
    screen.scroller = second
    first.contentSize = 3
    second.contentSize = 11
    #expect(screen.take() == ["→10", "10→11"])
    screen.scroller = nil
    second.contentSize = 12
    #expect(screen.take() == [])
  }

  @Test("P84: an object that is replaced outside the span is observed at the next entry")
  func outside() {
    let screen = ObservableScreen()
    Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: { $0.scroller },
      options: [.initial, .new]
    ) { $0.lines.append(text($1)) }
    screen.scroller = Scroller(1)
    screen.lifecycle.move(to: .visible)
    screen.lifecycle.move(to: .loaded)
    screen.scroller = Scroller(2)
    #expect(screen.take() == ["→1"])
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == ["→2"])
  }

  @Test("P84: what an owner that is not observable returns is looked at with each phase")
  func plainOwner() {
    let (screen, log) = (Screen(), Log())
    let observer = Observer("a", log)
    observer.react = { moment, owner in
      if moment == .willAppear { (owner as? Screen)?.scroller = Scroller(1) }
    }
    screen.addLifecycleObserver(observer)
    Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller, options: [.initial, .new]
    ) { $0.lines.append("\($0.lifecycle.phase) " + text($1)) }
    screen.lifecycle.move(to: .appearing)
    #expect(screen.take() == [])
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == ["visible →1"])
    screen.scroller?.contentSize = 2
    #expect(screen.take() == ["visible →2"])
  }

  @Test("P84: an object that is deallocated inside the span is followed by the next one")
  func deallocated() {
    let screen = ObservableScreen()
    Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller, options: [.initial, .new]
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .visible)
    weak var released: Scroller?
    do {
      let scroller = Scroller(1)
      released = scroller
      screen.scroller = scroller
      withExtendedLifetime(scroller) {}
    }
    #expect(released != nil)
    screen.scroller = nil
    #expect(released == nil)
    screen.scroller = Scroller(2)
    #expect(screen.take() == ["→1", "→2"])
  }

  @Test("P84: a handler may replace the object that it is notified of")
  func replacedInHandler() {
    let screen = ObservableScreen()
    let next = Scroller(5)
    Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller, options: [.initial, .new]
    ) { screen, change in
      screen.lines.append(text(change))
      if change.newValue == 1 { screen.scroller = next }
    }
    let first = Scroller(1)
    screen.scroller = first
    screen.lifecycle.move(to: .visible)
    first.contentSize = 2
    next.contentSize = 6
    #expect(screen.take() == ["→1", "→5", "→6"])
  }

  @Test("P84: a handler may end its own observation")
  func endedInHandler() {
    let screen = ObservableScreen()
    screen.scroller = Scroller(1)
    var observation: LifecycleObservation?
    observation = Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller, options: .initial
    ) { screen, _ in
      screen.lines.append("called")
      observation?.invalidate()
    }
    expectNoLiveObservations {
      screen.lifecycle.move(to: .visible)
      screen.scroller?.contentSize = 2
      screen.scroller = Scroller(3)
    }
    #expect(screen.take() == ["called"])
    observation = nil
  }

  @Test("P84: a string key path is checked against the object, or else against the class")
  func strings() throws {
    let screen = ObservableScreen()
    #expect(throws: KeyValueCodingError.self) {
      try Scroller.observe("nothing", while: .visible, of: screen, subject: \.scroller) { _, _ in }
    }
    #expect(throws: KeyValueCodingError.self) {
      try Scroller.observe("", while: .visible, of: screen, subject: \.scroller) { _, _ in }
    }
    screen.scroller = Scroller()
    #expect(throws: KeyValueCodingError.self) {
      try Scroller.observe("inset.left", while: .visible, of: screen, subject: \.scroller) { _, _ in
      }
    }
    try Scroller.observe(
      "contentSize", while: .visible, of: screen, subject: \.scroller, options: [.initial, .new]
    ) { $0.lines.append("\($1.newValue as? Int ?? -1)") }
    screen.lifecycle.move(to: .visible)
    screen.scroller = Scroller(4)
    #expect(screen.take() == ["0", "4"])
  }

  @Test("P83, P84: neither the owner nor the object is retained, and nothing is left at the end")
  func notRetained() {
    weak var releasedScreen: ObservableScreen?
    weak var releasedScroller: Scroller?
    expectNoLiveObservations {
      let (screen, scroller) = (ObservableScreen(), Scroller())
      (releasedScreen, releasedScroller) = (screen, scroller)
      screen.scroller = scroller
      Scroller.observe(
        \.contentSize, while: .loaded, of: screen, subject: \.scroller, options: .initial
      ) { screen, _ in screen.lines.append("called") }
      screen.lifecycle.move(to: .visible)
      #expect(screen.lines == ["called"])
      withExtendedLifetime((screen, scroller)) {}
    }
    #expect(releasedScreen == nil)
    #expect(releasedScroller == nil)
  }
  @Test("P84: an object that follows one whose handler ends the observation is not read")
  func notReadAfterEnd() {
    let panel = Panel()
    let (first, second) = (Meter(), Meter())
    panel.meter = first
    var observation: LifecycleObservation?
    observation = Meter.observe(
      \.shown, while: .visible, of: panel, subject: \.meter, options: .initial
    ) { panel, _ in
      observation?.invalidate()
      panel.meter = second
    }
    panel.lifecycle.move(to: .visible)
    #expect(panel.meter === second)
    #expect(first.readCount > 0)
    #expect(second.readCount == 0)
  }

  @Test(
    "P31, P84: an observation that its first handler ends is over, also if the subject is replaced there"
  )
  func endedByHandler() {
    let screen = ObservableScreen()
    let (first, second) = (Scroller(1), Scroller(10))
    screen.scroller = first
    var observation: LifecycleObservation?
    observation = Scroller.observe(
      \.contentSize, while: .visible, of: screen, subject: \.scroller, options: [.initial, .new]
    ) { screen, change in
      screen.lines.append(text(change))
      observation?.invalidate()
      first.contentSize = 2
      screen.scroller = second
      second.contentSize = 11
    }
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == ["→1"])
    #expect(observation?.isActive == false)
  }
}

@KeyValueObservable
private final class Meter {
  var level = 0
  @KeyValueIgnored var readCount = 0
  var shown: Int {
    readCount += 1
    return level
  }
}

@KeyValueObservable
private final class Panel: LifecycleOwner {
  let lifecycle = Lifecycle()
  var meter: Meter?
}
