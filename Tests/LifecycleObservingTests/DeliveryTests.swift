import KeyValueObservingTesting
import LifecycleObserving
import Testing

/// Does work on request, as a frame clock does after the layout.
private final class Frames {
  private var work: [() -> Void] = []

  func afterLayout(_ work: @escaping () -> Void) { self.work.append(work) }

  func layOut() {
    let work = work
    self.work = []
    for work in work { work() }
  }
}

@Suite("Lifecycles: changes that are delivered later")
struct DeliveryTests {
  @Test(
    "P85: the handler is called when the toolkit calls the work, in order, with the values of then")
  func later() {
    let (screen, scroller, frames) = (Screen(), Scroller(1), Frames())
    scroller.observe(
      \.contentSize, while: .presented, of: screen, options: [.initial, .old, .new],
      deliver: .later { frames.afterLayout($0) }
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .appearing)
    scroller.contentSize = 2
    scroller.contentSize = 3
    #expect(screen.take() == [])
    frames.layOut()
    #expect(screen.take() == ["→1", "1→2", "2→3"])
    frames.layOut()
    #expect(screen.take() == [])
  }

  @Test("P85: work for a stay that is over does nothing, also if another one has begun")
  func over() {
    let (screen, scroller, frames) = (Screen(), Scroller(1), Frames())
    scroller.observe(
      \.contentSize, while: .presented, of: screen, options: .new,
      deliver: .later { frames.afterLayout($0) }
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .visible)
    scroller.contentSize = 2
    screen.lifecycle.move(to: .loaded)
    screen.lifecycle.move(to: .visible)
    frames.layOut()
    #expect(screen.take() == [])
    scroller.contentSize = 3
    frames.layOut()
    #expect(screen.take() == ["→3"])
  }

  @Test(
    "P85: work for an observation that was ended does nothing, nor does work for a former object")
  func ended() {
    let (screen, frames) = (ObservableScreen(), Frames())
    let (first, second) = (Scroller(1), Scroller(2))
    screen.scroller = first
    let observation = Scroller.observe(
      \.contentSize, while: .presented, of: screen, subject: \.scroller, options: [.initial, .new],
      deliver: .later { frames.afterLayout($0) }
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .visible)
    screen.scroller = second
    frames.layOut()
    #expect(screen.take() == ["→2"])
    second.contentSize = 3
    observation.invalidate()
    frames.layOut()
    #expect(screen.take() == [])
  }

  @Test("P85: work for an owner that is gone does nothing")
  func ownerGone() {
    let (scroller, frames, log) = (Scroller(1), Frames(), Log())
    do {
      let screen = Screen()
      scroller.observe(
        \.contentSize, while: .presented, of: screen, options: .initial,
        deliver: .later { frames.afterLayout($0) }
      ) { _, _ in log.lines.append("called") }
      screen.lifecycle.move(to: .visible)
      withExtendedLifetime(screen) {}
    }
    frames.layOut()
    #expect(log.lines == [])
  }

  @Test("P85: changes that are delivered later have no prior notification")
  func priors() {
    let (screen, scroller, frames) = (Screen(), Scroller(1), Frames())
    scroller.observe(
      \.contentSize, while: .presented, of: screen, options: [.prior, .old, .new],
      deliver: .later { frames.afterLayout($0) }
    ) { $0.lines.append(($1.isPrior ? "prior " : "") + text($1)) }
    screen.lifecycle.move(to: .visible)
    scroller.contentSize = 2
    frames.layOut()
    #expect(screen.take() == ["1→2"])
  }
}
