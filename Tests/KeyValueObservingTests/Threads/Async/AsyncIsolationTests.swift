import Foundation
import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Async sequences on actors and between threads.
  @Suite("Isolation of async sequences", .timeLimit(.minutes(5)))
  struct AsyncIsolationTests {
    @Test("P40, P41: on the main actor a loop over values that are not Sendable needs nothing more")
    @MainActor
    func mainActor() async {
      let screen = DetailScreen<Person>()
      var names: [String?] = []
      let person = Person("Ann")
      let task = Task {
        for await selection in screen.values(of: \.selection) {
          names.append(selection?.name)
          if names.count == 3 { break }
        }
        for await change in screen.changes(of: \.title, options: [.old, .new]) {
          names.append(change.oldValue)
          break
        }
      }
      while names.count < 1 { await Task.yield() }
      screen.selection = person
      screen.selection = nil
      while names.count < 3 { await Task.yield() }
      screen.title = "new"
      await task.value
      #expect(names == [nil, "Ann", nil, ""])
    }

    @Test("P40, P41: a class without isolation is observed and changed in one task")
    func oneTask() async {
      let person = Person("a", boss: Person("b"))
      var received: [String?] = []
      for await boss in person.values(of: \.boss) {
        received.append(boss?.name)
        if received.count == 3 { break }
        person.boss = received.count == 2 ? nil : Person("c")
      }
      #expect(received == ["b", "c", nil])
    }

    @Test("P40, P41: changes made elsewhere reach a sequence of an actor in order")
    func elsewhere() async {
      let shared = Shared()
      let listener = SequenceListener()
      await listener.listen(to: shared)
      for value in 1...50 { shared.value = value }
      await listener.set(51, on: shared)
      #expect(await listener.take(52) == Array(0...51))
    }

    @Test("P41: a sequence of Sendable values may be iterated in any task")
    func sentElsewhere() async {
      let shared = Shared()
      let values = shared.values(of: \.value)
      let tasks = (0..<4).map { _ in
        Task.detached {
          var received: [Int] = []
          for await value in values {
            received.append(value)
            if value == 100 { break }
          }
          return received
        }
      }
      for value in 1...100 { shared.value = value }
      for task in tasks {
        // A late iterator has begun with the value that was last then.
        let received = await task.value
        #expect(received == Array((100 - received.count + 1)...100))
      }
    }

    @Test("P41: a property set on eight threads yields no less values, the last of them its own")
    func eightThreads() async {
      for _ in 0..<20 {
        let (received, newest, last) = await setOnEightThreads()
        #expect(received.first == 0 && received.count >= 801)
        #expect(received.last == last && newest == [last])
      }
    }

    /// The elements of an unbounded consumer, those of a buffer for one value, and the last value.
    private func setOnEightThreads() async -> ([Int], [Int], Int) {
      var node: SharedNode? = SharedNode()
      let newest = node!.values(of: \.value, bufferingPolicy: .bufferingNewest(1))
      let consumer = Task.detached { [values = node!.values(of: \.value)] in
        var received: [Int] = []
        for await value in values { received.append(value) }
        return received
      }
      await withTaskGroup { [node] group in
        for thread in 0..<8 {
          group.addTask { for step in 1...100 { node!.value = 1000 * thread + step } }
        }
      }
      let last = node!.value
      node = nil
      return (await consumer.value, await newest.first(.max), last)
    }

    @Test("P41: if the last notification has an outdated value, the current value follows")
    func notifiedTooLate() async {
      let (values, pathValues) = notifyTooLate()
      #expect(await values.first(.max) == [0, 2, 1, 2])
      #expect(await pathValues.first(.max).last == 2)
    }

    private func notifyTooLate() -> (KeyValueAsyncSequence<Int>, KeyValueAsyncSequence<Int?>) {
      let node = SharedNode()
      let root = SharedNode()
      root.child = node
      let hasSet = Counter()
      let slow = node.observe(\.value, options: .new, isolation: nil) { node, change in
        guard change.newValue == 1 else { return }
        // The other thread sets and notifies while this one has set and not yet notified later
        // observers.
        Thread.detachNewThread {
          node.value = 2
          hasSet.increment()
        }
        while hasSet.value == 0 { Thread.sleep(forTimeInterval: 0) }
      }
      let sequences = (node.values(of: \.value), root.values(of: \.child?.value))
      node.value = 1
      slow.invalidate()
      return sequences
    }

    @Test("P38, P41: sequences are made, iterated, cancelled and dropped while threads set")
    func races() async {
      let node = SharedNode()
      node.child = SharedNode()
      let received = Counter()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { for value in 1...2000 { node.value = value } }
          group.addTask { for _ in 1...500 { node.child = SharedNode() } }
          group.addTask {
            for round in 0..<100 {
              let values = node.values(of: \.value)
              let sums = node.changes(of: \.sum, bufferingPolicy: .bufferingNewest(2))
              let consumers = [
                Task { for await _ in values { received.increment() } },
                Task { for await _ in values { received.increment() } },
                Task { for await _ in sums { received.increment() } },
              ]
              if round % 2 == 0 { await Task.yield() }
              for consumer in consumers { consumer.cancel() }
              for consumer in consumers { await consumer.value }
            }
          }
        }
      }
      #expect(received.value > 0)
      node.observationContext.checkInvariants()
      #expect(!node.observationContext.isObjectObserved)
    }
  }
}

private actor SequenceListener {
  private var values: KeyValueAsyncSequence<Int>?

  func listen(to shared: Shared) { values = shared.values(of: \.value) }

  func set(_ value: Int, on shared: Shared) { shared.value = value }

  func take(_ count: Int) async -> [Int] {
    var received: [Int] = []
    for await value in values! {
      received.append(value)
      if received.count == count { break }
    }
    return received
  }
}
