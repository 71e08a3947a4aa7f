import Foundation
import KeyValueObserving
import Synchronization
import TestSupport
import Testing

@testable import KeyValueObservingCore

/// Runs the jobs of a task on whatever thread asks for it.
private final class HandOperatedExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let hasJob = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    hasJob.signal()
  }

  func runNext() {
    hasJob.wait()
    jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// Used by two threads, each of which sets a property of its own.
@KeyValueObservable
private final class Sums: @unchecked Sendable {
  var list: [Int] = []
  var value = 0
  var sum: Int { list.count + value }
}

extension AllTests {
  @Suite("Threads")
  struct ThreadTests {
    @Test("P38: registering, ending and delivering race without losing anything")
    func registrarRaces() async {
      let node = SharedNode()
      let received = Counter()
      let kept = node.observe(\.value, isolation: nil) { _, _ in received.increment() }
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { for value in 0..<500 { node.value = value } }
          group.addTask {
            for _ in 0..<500 {
              let token = node.observe(\.value, options: [.new, .old], isolation: nil) { _, _ in }
              token.invalidate()
            }
          }
        }
      }
      #expect(received.value == 2000)
      node.observationContext.checkInvariants()
      kept.invalidate()
    }

    @Test("P31, P38: closures end beside other observers while they are called")
    func endsBesideOthers() async {
      let node = SharedNode()
      let received = Counter()
      // Another kind of observer stands behind each closure that comes and goes.
      await withTaskGroup { group in
        group.addTask { for value in 0..<3000 { node.value = value } }
        group.addTask {
          for _ in 0..<300 {
            let tokens = (0..<8).map { number in
              node.observe(\.value, options: number.isMultiple(of: 2) ? [] : .prior, isolation: nil)
              { _, _ in received.increment() }
            }
            tokens.forEach { $0.invalidate() }
          }
        }
      }
      node.observationContext.checkInvariants()
      #expect(!node.observationContext.isObjectObserved)
    }

    @Test("P38, P19: scopes, pairs and setters of a link race with what is computed through it")
    func changesByHandRace() async {
      let node = SharedNode()
      node.child = SharedNode()
      let received = Counter()
      let tokens = [
        node.observe(\.child?.value, options: [.old, .new], isolation: nil) { _, _ in
          received.increment()
        },
        node.observe(\.sum, options: [.old, .new], isolation: nil) { _, _ in },
      ]
      await withTaskGroup { group in
        group.addTask {
          for _ in 0..<300 { node.withMutation(of: \.child) { node.child = SharedNode() } }
        }
        group.addTask { for value in 0..<300 { node.child?.value = value } }
        group.addTask {
          for _ in 0..<300 {
            node.willChangeValue(for: \.child)
            node.child = SharedNode()
            node.didChangeValue(for: \.child)
          }
        }
      }
      node.child = SharedNode()
      node.observationContext.checkInvariants()
      let before = received.value
      node.child?.value = 1
      #expect(received.value == before + 1)
      tokens.forEach { $0.invalidate() }
    }

    @Test("P39: when the dust of replaced links settles, exactly the current tail is attached")
    func replacedLinks() async {
      for _ in 0..<10 {
        let root = SharedNode()
        let nodes = (0..<8).map { _ in SharedNode() }
        let received = Counter()
        let tokens = [
          root.observe(\.child?.child?.value, isolation: nil) { _, _ in received.increment() },
          root.observe(\.sum, isolation: nil) { _, _ in received.increment() },
        ]
        await withTaskGroup { group in
          for thread in 0..<4 {
            group.addTask {
              for round in 0..<200 {
                let node = nodes[(thread + round) % 4]
                root.child = node
                node.child = nodes[4 + (thread &* 7 &+ round) % 4]
                nodes[4 + round % 4].value = round
              }
            }
          }
        }
        root.observationContext.checkInvariants()
        let tail = root.child?.child
        for node in nodes {
          let before = received.value
          node.value = -1
          let expected = (node === tail ? 1 : 0) + (node === root.child ? 1 : 0)
          #expect(received.value - before == expected)
        }
        tokens.forEach { $0.invalidate() }
        for node in nodes { #expect(!node.observationContext.isObjectObserved) }
      }
    }

    @Test("P39: two setters that set each other do not deadlock")
    func mutualSetters() async {
      let first = SharedNode()
      let second = SharedNode()
      let received = Counter()
      let tokens = [
        first.observe(\.value, options: .new, isolation: nil) { _, change in
          received.increment()
          if second.value < 0 { second.value = change.newValue! }
        },
        second.observe(\.value, options: .new, isolation: nil) { _, change in
          received.increment()
          if first.value < 0 { first.value = change.newValue! }
        },
      ]
      await withTaskGroup { group in
        group.addTask { for round in 0..<1000 { first.value = -1 &+ round & 1 } }
        group.addTask { for round in 0..<1000 { second.value = -1 &+ round & 1 } }
      }
      // Every set was received, and those that the callbacks made.
      #expect(received.value >= 2000)
      tokens.forEach { $0.invalidate() }
    }

    @Test("P8, P38: a mutation that ends on another thread than it began on holds up no change")
    func mutationAcrossThreads() {
      let sums = Sums()
      let executor = HandOperatedExecutor()
      let (isTelling, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isDone = DispatchSemaphore(value: 0)
      let direct = sums.observe(\.list, isolation: nil) { _, _ in
        isTelling.signal()
        mayGoOn.wait()
      }
      let received = Mutex<[Int]>([])
      let token = sums.observe(\.sum, options: .new, isolation: nil) { _, change in
        received.withLock { $0.append(change.newValue!) }
      }
      let hasBegun = Counter()
      @Sendable func append(to list: inout [Int]) async {
        list.append(1)
        hasBegun.increment()
        await Task.yield()
      }
      let isOver = Counter()
      Task(executorPreference: executor) {
        await append(to: &sums.list)
        isOver.increment()
      }
      while hasBegun.value == 0 { executor.runNext() }
      Thread.detachNewThread {
        while isOver.value == 0 { executor.runNext() }
        isDone.signal()
      }
      isTelling.wait()
      sums.value = 10
      #expect(received.withLock { $0 } == [11])
      mayGoOn.signal()
      isDone.wait()
      #expect(received.withLock { $0 } == [11, 1])
      withExtendedLifetime((direct, token)) {}
    }

    @Test("P25: a tail that is detached while a task mutates it, on two threads, is silent")
    func detachedInMutationAcrossThreads() {
      nonisolated(unsafe) let former = Person("former")
      nonisolated(unsafe) let person = Person("root", boss: former)
      nonisolated(unsafe) let other = Person("other")
      let received = Mutex<[[String]]>([])
      let tokens = [
        person.observe(\.boss?.tags, options: .new, isolation: nil) { _, change in
          received.withLock { $0.append(change.newValue! ?? []) }
        },
        other.observe(\.title, isolation: nil) { _, _ in },
      ]
      let executor = HandOperatedExecutor()
      let (hasBegun, isOver) = (Counter(), Counter())
      @Sendable func append(to tags: inout [String]) async {
        tags.append("a")
        hasBegun.increment()
        await Task.yield()
      }
      Task(executorPreference: executor) {
        await append(to: &former.tags)
        isOver.increment()
      }
      // Each of these threads has begun one change when it comes to the mutation.
      onThread { while hasBegun.value == 0 { executor.runNext() } }
      person.boss = Person("next")
      onThread {
        other.age = 1
        while isOver.value == 0 { executor.runNext() }
      }
      #expect(former.tags == ["a"])
      #expect(received.withLock { $0 } == [[]])
      withExtendedLifetime(tokens) {}
    }

    @Test("P34, P38: an object and the tokens of its observations may be deallocated at once")
    func deallocateAtOnce() {
      var kept = 0
      for _ in 0..<20_000 {
        nonisolated(unsafe) var node: SharedNode? = SharedNode()
        weak var captured: Counter?
        nonisolated(unsafe) var tokens: [KeyValueObservation] = []
        do {
          let counter = Counter()
          captured = counter
          tokens = (0..<8).map { _ in
            node!.observe(\.value, options: .prior, isolation: nil) { _, _ in counter.increment() }
          }
        }
        DispatchQueue.concurrentPerform(iterations: 2) { part in
          if part == 0 { node = nil } else { tokens.removeAll() }
        }
        if captured != nil { kept += 1 }
      }
      #expect(kept == 0)
    }

    @Test("P33, P38: objects deallocated on other threads end their observations there")
    func deallocationsElsewhere() async {
      let gone = Counter()
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<100 {
              var node: SharedNode? = SharedNode()
              node!.child = SharedNode()
              let received = Counter()
              let observer = KeyValueObserver(
                source: node!, keyPath: \.child?.value, options: [], isolation: nil
              ) { _, reason in
                if reason == .sourceDeleted {
                  gone.increment()
                  received.increment()
                }
              }
              let task = Task.detached { [node] in node?.value = 1 }
              node = nil
              await task.value
              // The task may let go of its capture only after its value is there.
              while received.value == 0 { await Task.yield() }
              observer.cancel()
            }
          }
        }
      }
      #expect(gone.value == 800)
    }
  }
}
