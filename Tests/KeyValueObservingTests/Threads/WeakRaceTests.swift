import Foundation
import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Holds an object weakly, and lets other threads do something while it is read.
private final class MeddledNode: KeyValueObservable, @unchecked Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  var value = 0
  private weak var storedPeer: MeddledNode?
  /// The work at the next reads, each before or after the object is taken out.
  var meddling: [(before: (() -> Void)?, after: (() -> Void)?)] = []

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .weak("peer", \MeddledNode.peer, chained: \MeddledNode?.?.peer),
      .stored("value", \MeddledNode.value, chained: \MeddledNode?.?.value),
    ]
  }

  var peer: MeddledNode? {
    get {
      if KeyValueRegistrar.isTracking {
        keyValueRegistrar.access("peer", of: self, target: storedPeer)
      }
      return read()
    }
    set {
      keyValueRegistrar.setWeak(
        "peer", of: self, to: newValue, read: read, write: { storedPeer = $0 })
    }
  }

  private func read() -> MeddledNode? {
    let (before, after) = meddling.isEmpty ? (nil, nil) : meddling.removeFirst()
    before?()
    let peer = storedPeer
    after?()
    return peer
  }
}

/// The work of other threads that set the property and release its object.
private enum Outer: CaseIterable {
  case set, clear, deallocate, observe, observeThrough
}

private enum Meddling: CaseIterable {
  /// The property is set to another object, which is deallocated.
  case setAndDeallocate
  /// It is set to another object and then to nil.
  case setAndClear
  /// It is set to another object, which stays.
  case set
  /// It is set to another object and back to the first one.
  case setBack
}

extension AllTests {
  @Suite("Weak properties on many threads")
  struct WeakRaceTests {
    @Test(
      "P27, P39: in every race over a weak property, its object's deallocation notifies once",
      arguments: Outer.allCases, Meddling.allCases)
    private func meddle(_ outer: Outer, _ meddling: Meddling) {
      for first in 0..<6 {
        for second in first + 1..<8 { meddle(outer, meddling, atReads: first, second) }
      }
    }

    private func meddle(_ outer: Outer, _ meddling: Meddling, atReads first: Int, _ second: Int) {
      let node = MeddledNode()
      var former: MeddledNode? = MeddledNode()
      var own: MeddledNode? = MeddledNode()
      var others: MeddledNode? = MeddledNode()
      node.peer = former
      own?.value = 1
      others?.value = 2
      var received: [Int?] = []
      let token = node.observe(\.peer?.value, options: .new) { _, change in
        received.append(change.newValue ?? nil)
      }
      node.meddling = Array(repeating: (nil, nil), count: 10)
      node.meddling[first].after = elsewhere(node) { node.peer = others }
      node.meddling[second].before = elsewhere(node) {
        switch meddling {
        case .setAndDeallocate: others = nil
        case .setAndClear: node.peer = nil
        case .setBack: node.peer = former
        case .set: break
        }
      }
      var more: KeyValueObservation?
      switch outer {
      case .set: node.peer = own
      case .clear: node.peer = nil
      case .deallocate: former = nil
      case .observe: more = node.observe(\.peer) { _, _ in }
      case .observeThrough: more = node.observe(\.peer?.value) { _, _ in }
      }
      for meddling in node.meddling {
        meddling.before?()
        meddling.after?()
      }
      node.meddling = []
      let place: Comment = "\(outer), \(meddling) at reads \(first) and \(second)"
      #expect(received.last == node.peer?.value, place)
      received = []
      // Of the objects that live, one may be in the property.
      let expected: [Int?] = node.peer == nil ? [] : [nil]
      (former, own, others) = (nil, nil, nil)
      #expect(received == expected, place)
      withExtendedLifetime((token, more)) {}
    }

    /// Does something on another thread, without interference, and waits for it.
    private func elsewhere(_ node: MeddledNode, _ body: @escaping () -> Void) -> () -> Void {
      {
        let rest = node.meddling
        node.meddling = []
        let isDone = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let body = body
        Thread.detachNewThread {
          body()
          isDone.signal()
        }
        isDone.wait()
        node.meddling = rest
      }
    }
  }
}
