import Synchronization
import TestSupport
import Testing

@testable import KeyValueObservingCore
@testable import KeyValueObservingFoundation

@Suite("Classic observers on many threads and on actors")
struct ClassicThreadTests {
  @Test("P38: adding, removing, setting and deallocation race without losing anything")
  func races() async {
    let node = SharedNode()
    let kept = Counter()
    node.addObserver(kept, forKeyPath: "value", options: [.new, .old], context: nil)
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for value in 0..<500 { node.value = value } }
        group.addTask {
          let counter = Counter()
          for _ in 0..<500 {
            node.addObserver(counter, forKeyPath: "value", options: .initial, context: nil)
            node.removeObserver(counter, forKeyPath: "value", context: nil)
          }
        }
        group.addTask {
          for _ in 0..<500 {
            node.addObserver(Counter(), forKeyPath: "value", context: nil)
          }
        }
      }
    }
    #expect(kept.count == 1000)
    node.observationContext.checkInvariants()
    node.removeObserver(kept, forKeyPath: "value")
    node.value = -1
    #expect(kept.count == 1000)
    #expect(!node.observationContext.isObjectObserved)
  }

  @Test("P31, P38: of two threads that remove one registration, one does, and it is over then")
  func removedTwice() async {
    for _ in 0..<200 {
      let node = SharedNode()
      let counter = Counter()
      node.addObserver(counter, forKeyPath: "value", context: nil)
      let key = ClassicRegistration.Key(observer: ObjectIdentifier(counter), keyPath: "value")
      let removals = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<2 {
          group.addTask { node.classicObservers!.removeFirst(at: key) { _ in true } }
        }
        group.addTask {
          node.value = 1
          return false
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(removals == 1)
      let received = counter.count
      node.value = 2
      #expect(counter.count == received)
      #expect(!node.observationContext.isObjectObserved)
    }
  }

  @Test("P31: one that is removed on another thread while it is being added is not called after")
  func removedWhileAdded() async {
    for _ in 0..<200 {
      let node = SharedNode()
      let counter = Counter()
      await withTaskGroup { group in
        group.addTask {
          node.addObserver(counter, forKeyPath: "value", options: .initial, context: nil)
        }
        group.addTask {
          let key = ClassicRegistration.Key(observer: ObjectIdentifier(counter), keyPath: "value")
          while node.classicObservers?.removeFirst(at: key, where: { _ in true }) != true {
            await Task.yield()
          }
        }
      }
      let received = counter.count
      node.value = 1
      #expect(counter.count == received)
      #expect(!node.observationContext.isObjectObserved)
    }
  }

  @Test("P38: observers deallocated during deliveries are skipped or finish")
  func dyingObservers() async {
    let node = SharedNode()
    await withTaskGroup { group in
      group.addTask { for value in 0..<1000 { node.value = value } }
      group.addTask {
        for _ in 0..<1000 {
          let counter = Counter()
          node.addObserver(counter, forKeyPath: "value", context: nil)
        }
      }
    }
    node.value = -1
    #expect(!node.observationContext.isObjectObserved)
  }

  @Test("P8: an observer that is added without an actor is called on the thread of the change")
  func threadOfChange() async {
    let node = SharedNode()
    let listener = Listener()
    node.addObserver(listener, forKeyPath: "value", context: nil, isolation: nil)
    await Task.detached {
      Marker.$isChanging.withValue(true) { node.value = 1 }
    }.value
    #expect(listener.received == [true])
  }

  @Test("P40: an observer of the main actor is called there, in order, from any thread")
  @MainActor
  func mainActor() {
    let node = SharedNode()
    let label = Label()
    node.addObserver(label, forKeyPath: "value", options: .new, context: nil)
    node.value = 1
    #expect(label.texts == ["1"])
    elsewhere {
      node.value = 2
      node.value = 3
    }
    #expect(label.texts == ["1"])
    node.value = 4
    #expect(label.texts == ["1", "2", "3", "4"])
    node.removeObserver(label, forKeyPath: "value", context: nil)
    node.value = 5
    #expect(label.texts == ["1", "2", "3", "4"])
  }

  @Test("P40: an object of the main actor may have classic observers of the main actor")
  @MainActor
  func mainActorSubject() {
    let form = Form()
    let label = Label()
    form.addObserver(label, forKeyPath: "field", options: [.initial, .new])
    form.field = "b"
    form.removeObserver(label, forKeyPath: "field")
    form.field = "c"
    #expect(label.texts == ["a", "b"])
    let token = form.observe(\.field, options: .new) { [unowned label] _, change in
      label.texts.append(change.newValue ?? "?")
    }
    form.field = "d"
    #expect(label.texts == ["a", "b", "d"])
    token.invalidate()
  }
}

@MainActor
@KeyValueObservable
private final class Form {
  var field = "a"
}

private enum Marker {
  @TaskLocal static var isChanging = false
}

// The record is read when the task that makes the change has ended.
/// Notes whether it was called by the task that makes the change.
private final class Listener: NSKeyValueObserving, @unchecked Sendable {
  var received: [Bool] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    received.append(Marker.isChanging)
  }
}

/// Counts the received changes, on any thread.
private final class Counter: NSKeyValueObserving, Sendable {
  private let calls = Atomic<Int>(0)

  var count: Int { calls.load(ordering: .sequentiallyConsistent) }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    calls.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }
}

@MainActor
private final class Label: @MainActor NSKeyValueObserving {
  var texts: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    texts.append("\(change?[.newKey] ?? "?")")
  }
}
