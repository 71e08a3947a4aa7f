import KeyValueObservingTesting
import LifecycleObserving
import Testing

@Suite("Lifecycles: scoped observations")
struct ScopeTests {
  @Test(
    "P82: an observation is registered in exactly the phases of its span",
    arguments: Lifecycle.Span.allCases)
  func spans(span: Lifecycle.Span) {
    let phases: Set<Lifecycle.Phase> =
      switch span {
      case .loaded: [.loaded, .appearing, .visible, .disappearing]
      case .onScreen: [.appearing, .visible, .disappearing]
      case .presented: [.appearing, .visible]
      case .visible: [.visible]
      }
    let (screen, scroller) = (Screen(), Scroller())
    scroller.observe(\.contentSize, while: span, of: screen) { screen, _ in
      screen.lines.append("\(screen.lifecycle.phase)")
    }
    for phase in [Lifecycle.Phase.created, .loaded, .appearing, .visible, .disappearing, .ended] {
      screen.lifecycle.move(to: phase)
      scroller.contentSize += 1
      #expect(screen.take() == (phases.contains(phase) ? ["\(phase)"] : []), "\(phase)")
    }
  }

  @Test("P82: it is registered at each entry, with an initial change, and ends at each exit")
  func entries() {
    let (screen, scroller) = (Screen(), Scroller(1))
    scroller.observe(\.contentSize, while: .presented, of: screen, options: [.initial, .old, .new])
    { screen, change in screen.lines.append(text(change)) }
    scroller.contentSize = 2
    #expect(screen.take() == [])
    screen.lifecycle.move(to: .visible)
    scroller.contentSize = 3
    #expect(screen.take() == ["→2", "2→3"])
    screen.lifecycle.move(to: .loaded)
    scroller.contentSize = 4
    #expect(screen.take() == [])
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == ["→4"])
  }

  @Test("P82: inside its span it begins at once")
  func inside() {
    let (screen, scroller) = (Screen(), Scroller(1))
    screen.lifecycle.move(to: .visible)
    scroller.observe(\.contentSize, while: .onScreen, of: screen, options: [.initial, .new]) {
      $0.lines.append(text($1))
    }
    #expect(screen.take() == ["→1"])
    scroller.contentSize = 2
    #expect(screen.take() == ["→2"])
  }

  @Test("P82: a span includes what lifecycle observers change in the moments at both ends")
  func inclusive() {
    let (screen, scroller, log) = (Screen(), Scroller(), Log())
    let observer = Observer("observer", log)
    observer.react = { _, _ in scroller.contentSize += 1 }
    screen.addLifecycleObserver(observer)
    scroller.observe(\.contentSize, while: .presented, of: screen, options: [.initial, .new]) {
      log.lines.append(text($1))
      withExtendedLifetime($0) {}
    }
    screen.lifecycle.move(to: .visible)
    screen.lifecycle.move(to: .ended)
    #expect(
      log.lines == [
        "observer didLoad", "→1", "observer willAppear", "→2", "observer didAppear", "→3",
        "observer willDisappear", "→4", "observer didDisappear",
      ])
  }

  @Test("P82: a cancelled disappearance ends the stay in presented and begins another one")
  func cancelled() {
    let (screen, scroller) = (Screen(), Scroller())
    for span in [Lifecycle.Span.loaded, .onScreen, .presented, .visible] {
      scroller.observe(\.contentSize, while: span, of: screen, options: .initial) { screen, _ in
        screen.lines.append("\(span)")
      }
    }
    screen.lifecycle.move(to: .disappearing)
    #expect(screen.take() == ["loaded", "onScreen", "presented", "visible"])
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == ["presented", "visible"])
  }

  @Test("P82: a string key path is refused at the call, also outside the span")
  func strings() throws {
    let (screen, scroller) = (Screen(), Scroller(1))
    #expect(throws: KeyValueCodingError.self) {
      try scroller.observe("contentSise", while: .presented, of: screen) { _, _ in }
    }
    #expect(throws: KeyValueCodingError.self) {
      try scroller.observe("title.length", while: .presented, of: screen) { _, _ in }
    }
    try scroller.observe("contentSize", while: .presented, of: screen, options: [.initial, .new]) {
      $0.lines.append("\($1.newValue as? Int ?? -1)")
    }
    #expect(screen.lines == [])
    screen.lifecycle.move(to: .visible)
    scroller.contentSize = 2
    #expect(screen.take() == ["1", "2"])
  }

  @Test("P82: key paths through links are followed inside the span")
  func paths() throws {
    let (screen, scroller) = (Screen(), Scroller())
    scroller.observe(\.inset?.top, while: .visible, of: screen, options: [.old, .new]) {
      $0.lines.append("\($1.oldValue??.description ?? "nil")→\($1.newValue??.description ?? "nil")")
    }
    try scroller.observe("inset.top", while: .visible, of: screen) { screen, _ in
      screen.lines.append("string")
    }
    screen.lifecycle.move(to: .visible)
    let inset = Inset()
    scroller.inset = inset
    inset.top = 3
    #expect(screen.take() == ["nil→0", "string", "0→3", "string"])
    screen.lifecycle.move(to: .loaded)
    inset.top = 4
    #expect(screen.take() == [])
  }

  @Test("P82: a prior notification belongs to the span as well")
  func priors() {
    let (screen, scroller) = (Screen(), Scroller(1))
    scroller.observe(\.contentSize, while: .visible, of: screen, options: [.prior, .old, .new]) {
      $0.lines.append(($1.isPrior ? "prior " : "") + text($1))
    }
    screen.lifecycle.move(to: .visible)
    scroller.contentSize = 2
    #expect(screen.take() == ["prior 1→", "1→2"])
  }

  @Test("P82: a handler that moves the lifecycle ends its own stay when it returns")
  func moveInHandler() {
    let (screen, scroller) = (Screen(), Scroller())
    scroller.observe(\.contentSize, while: .presented, of: screen, options: [.initial, .new]) {
      screen, change in
      screen.lines.append("\(change.newValue ?? -1) \(screen.lifecycle.phase)")
      if change.newValue == 0 { screen.lifecycle.move(to: .loaded) }
    }
    screen.lifecycle.move(to: .visible)
    // The move to loaded waits until that to visible has been made.
    #expect(screen.take() == ["0 appearing"])
    #expect(screen.lifecycle.phase == .loaded)
    scroller.contentSize = 1
    #expect(screen.take() == [])
  }

  @Test("P82: a move in a handler of a change ends the observation before the move returns")
  func moveInChange() {
    let (screen, scroller) = (Screen(), Scroller())
    scroller.observe(\.contentSize, while: .presented, of: screen) { screen, _ in
      screen.lines.append("first")
      screen.lifecycle.move(to: .loaded)
    }
    scroller.observe(\.contentSize, while: .presented, of: screen) { screen, _ in
      screen.lines.append("second")
    }
    screen.lifecycle.move(to: .visible)
    scroller.contentSize = 1
    #expect(screen.take() == ["first"])
  }
}
