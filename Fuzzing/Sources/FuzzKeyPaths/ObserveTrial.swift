import FuzzSupport
import KeyValueObserving

/// Observes a key path, changes things, and ends.
///
/// The claims: a path that is rejected leaves nothing behind, one that is accepted can be read; the
/// last received value is always the one at the path; and at the end no observer is attached
/// anywhere.
struct ObserveTrial {
  private let keyPath: String
  private let shape: Graph.Shape
  private let graph: Graph
  private var steering: InputReader

  static func run(_ keyPath: String, _ shape: Graph.Shape, _ steering: InputReader) {
    var trial = ObserveTrial(keyPath, shape, steering)
    trial.run()
  }

  private init(_ keyPath: String, _ shape: Graph.Shape, _ steering: InputReader) {
    self.keyPath = keyPath
    self.shape = shape
    self.steering = steering
    graph = Graph(shape)
  }

  private final class Received {
    var changes: [KeyValueChange<Any?>] = []
  }

  private mutating func run() {
    defer { graph.clear() }
    let received = Received()
    do {
      let token = try graph.root.observe(keyPath, options: [.initial, .new, .old]) { _, change in
        received.changes.append(change)
      }
      checkInitial(received)
      graph.checkInvariants()
      change(received)
      token.invalidate()
      graph.checkInvariants()
      claim(!graph.isObserved, "'\(keyPath)' in \(shape) stays attached after its end")
      received.changes = []
      for mutation in Mutation.allCases { mutation.apply(to: graph) }
      claim(received.changes.isEmpty, "'\(keyPath)' in \(shape) notifies after its end")
    } catch {
      checkRefusal(error)
      claim(received.changes.isEmpty, "'\(keyPath)' in \(shape) is rejected, and notifies")
      claim(!graph.isObserved, "'\(keyPath)' in \(shape) is rejected, and attached")
    }
  }

  private func checkInitial(_ received: Received) {
    claimEqual(received.changes.count, 1, "initial changes of '\(keyPath)' in \(shape)")
    let change = received.changes[0]
    claim(change.kind == .setting && change.reason == .valueChanged, "the first is \(change)")
    claim(change.oldValue == nil && change.newValue != nil, "the first is \(change)")
    do {
      let value = try graph.root.value(forKeyPath: keyPath)
      claimEqual(
        valueText(change.newValue ?? nil), valueText(value), "'\(keyPath)' in \(shape)")
    } catch {
      claim(false, "'\(keyPath)' in \(shape) can be observed and not read: \(error)")
    }
  }

  /// A path that can be read, and not observed, leads nowhere: to the object itself, or on from nil
  /// or from a collection without members to an undeclared key.
  ///
  /// If there are members, it throws.
  private func checkRefusal(_ refusal: KeyValueCodingError) {
    claim(!refusal.description.isEmpty, "no description")
    if keyPath.keyPathComponents.allSatisfy({ $0 == "self" }) { return }
    guard canBeRead(in: graph) else { return }
    let declared = Graph(.declared)
    defer { declared.clear() }
    claim(
      !canBeRead(in: declared),
      "'\(keyPath)' in \(shape) can be read and not observed: \(refusal)")
  }

  private func canBeRead(in graph: Graph) -> Bool {
    do throws(KeyValueCodingError) {
      _ = try graph.root.value(forKeyPath: keyPath)
      return true
    } catch {
      return false
    }
  }

  private mutating func change(_ received: Received) {
    for _ in 0..<6 {
      let mutation = steering.element(of: Mutation.allCases)
      let former = received.changes.count
      mutation.apply(to: graph)
      graph.checkInvariants()
      guard let value = try? graph.root.value(forKeyPath: keyPath) else { continue }
      guard let last = received.changes.last, last.kind == .setting else { continue }
      claimEqual(
        valueText(last.newValue ?? nil), valueText(value),
        "'\(keyPath)' in \(shape) after \(mutation), received \(received.changes.count - former) times"
      )
    }
  }
}
