import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private class Room {
  var name = ""
}

@KeyValueObservable
private final class Kitchen: Room {
  @KeyValueIgnored var whenGone: () -> Void = {}
  deinit { whenGone() }
}

extension AllTests {
  @Suite("The end of an object")
  struct OnDeinitTests {
    private let recorder = Recorder()

    @Test("P33: a closure for the end of an object is called once, after its deinit, in order")
    func once() {
      var room: Kitchen? = Kitchen()
      room?.whenGone = { [recorder] in recorder.write("deinit") }
      let tokens = [
        room!.onDeinit { [recorder] in recorder.write("first") },
        room!.onDeinit { [recorder] in recorder.write("second") },
      ]
      room?.name = "a"
      #expect(recorder.take() == [])
      room = nil
      #expect(recorder.take() == ["deinit", "first", "second"])
      for token in tokens { token.invalidate() }
      #expect(recorder.take() == [])
    }

    @Test("P5, P32: it does not retain the object, and is released when it has been called")
    func released() {
      weak var captured: Counter?
      var room: Room? = Room()
      weak let weakRoom = room
      let token: KeyValueObservation
      do {
        let counter = Counter()
        captured = counter
        token = room!.onDeinit { counter.increment() }
      }
      #expect(captured != nil)
      room = nil
      #expect(weakRoom == nil && captured == nil)
      withExtendedLifetime(token) {}
    }

    @Test("P31, P32: it is not called where its token is invalidated or released before")
    func ended() {
      var room: Room? = Room()
      let token = room!.onDeinit { [recorder] in recorder.write("invalidated") }
      token.invalidate()
      var released: KeyValueObservation? = room!.onDeinit { [recorder] in
        recorder.write("released")
      }
      released = nil
      // Ended by another one while the object ends.
      var last: KeyValueObservation?
      let first = room!.onDeinit { [recorder] in
        recorder.write("first")
        last?.invalidate()
      }
      last = room!.onDeinit { [recorder] in recorder.write("last") }
      // So that it is not released before `last` is set, which Swift may do after its last use.
      room?.name = "a"
      room = nil
      #expect(recorder.take() == ["first"])
      withExtendedLifetime((first, released)) {}
    }

    @Test("P33, P40: registered on an actor it is called there")
    @MainActor
    func onActor() async {
      var isGone = false
      var node: SharedNode? = SharedNode()
      let token = node!.onDeinit {
        MainActor.assertIsolated()
        isGone = true
      }
      let here = SharedNode()
      var wasCalled = false
      let other = here.onDeinit { wasCalled = true }
      let box = Parcel(node.take()!)
      await Task.detached { box.open() }.value
      while !isGone { await Task.yield() }
      _ = consume here
      #expect(wasCalled)
      withExtendedLifetime((token, other)) {}
    }

    @Test("P33, P40: without an actor it is called on the thread that releases the object")
    @MainActor
    func nowhere() async {
      let calls = Counter()
      var node: SharedNode? = SharedNode()
      let token = node!.onDeinit(isolation: nil) { calls.increment() }
      let box = Parcel(node.take()!)
      let counted = await Task.detached {
        box.open()
        return calls.value
      }.value
      #expect(counted == 1)
      withExtendedLifetime(token) {}
    }

    @Test("P33: an observer with reasons of an object itself needs no property that notifies")
    func itself() {
      let reports = Diagnostics()
      var room: Room? = Room()
      let observers = [
        KeyValueObserver(
          source: room!, keyPath: \.self, options: [], callback: recorder.callback("a")),
        KeyValueObserver(source: room!, keyPath: \.self.self, options: []) { _, _ in },
      ]
      room?.name = "a"
      room = nil
      #expect(recorder.take() == ["a → gone"])
      #expect(reports.take() == [])
      withExtendedLifetime(observers) {}
    }

    @Test("P33, P40: nor does one on an actor")
    @MainActor
    func itselfOnActor() {
      let reports = Diagnostics()
      var room: Room? = Room()
      let observer = KeyValueObserver(
        source: room!, keyPath: \.self, options: [], callback: recorder.callback("a"))
      room = nil
      #expect(recorder.take() == ["a → gone"])
      #expect(reports.take() == [])
      withExtendedLifetime(observer) {}
    }

    @Test(
      "P7: an observer of self that is not notified of deallocation reports a diagnostic")
    @MainActor
    func itselfWithoutReasons() {
      let reports = Diagnostics()
      let room = Room()
      let token = room.observe(\.self) { _, _ in }
      #expect(reports.take().count == 1)
      withExtendedLifetime(token) {}
    }
  }
}

/// Releases an object where it is opened.
private final class Parcel: @unchecked Sendable {  // used by one task after the other
  private var content: AnyObject?

  init(_ content: AnyObject) {
    self.content = content
  }

  func open() { content = nil }
}
