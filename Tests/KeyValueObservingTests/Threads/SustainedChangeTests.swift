import Foundation
import KeyValueObserving
import Testing

/// Has something else to do while another thread keeps changing what it observes.
private actor BusyListener {
  private(set) var received: [Int] = []
  private var isDone = false
  private var token: KeyValueObservation?

  func listen(to shared: Shared) {
    token = shared.observe(\.value, options: .new) { _, change in
      self.received.append(change.newValue!)
      if !self.isDone, self.received.count < 2000 { self.setElsewhere(shared) }
    }
  }

  /// Makes one more change before what is being delivered has been.
  private func setElsewhere(_ shared: Shared) {
    let isSet = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      shared.value += 1
      isSet.signal()
    }
    isSet.wait()
  }

  func finish() -> Int {
    isDone = true
    return received.count
  }

  func set(_ value: Int, on shared: Shared) -> [Int] {
    shared.value = value
    return received
  }
}

extension AllTests {
  @Suite("Changes that do not stop")
  struct SustainedChangeTests {
    @Test("P38, P40: changes that do not stop leave the actor time for other work, in order")
    func sustained() async {
      let shared = Shared()
      let listener = BusyListener()
      await listener.listen(to: shared)
      shared.value = 1
      while await listener.received.isEmpty { await Task.yield() }
      #expect(await listener.finish() < 2000)
      let received = await listener.set(0, on: shared)
      #expect(received == Array(1..<received.count) + [0])
      withExtendedLifetime(listener) {}
    }

    @Test("P41: a loop whose elements wait already leaves the actor time for other work")
    @MainActor
    func waitingElements() async {
      let person = Person("a")
      let ages = person.values(of: \.age)
      for age in 1...2000 { person.age = age }
      var isDone = false
      var received: [Int] = []
      let other = Task { isDone = true }
      for await age in ages {
        received.append(age)
        if isDone || age == 2000 { break }
      }
      #expect(received == Array(0..<received.count) && received.count < 2000)
      await other.value
    }
  }
}
