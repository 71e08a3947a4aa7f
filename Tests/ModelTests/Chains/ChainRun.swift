import KeyValueObserving
import TestSupport

/// Runs a program whose handlers make changes, and looks at what each observer receives.
final class ChainRun {
  private(set) var faults: [String] = []
  /// The steps that were made, and the changes that were received.
  private(set) var history: [String] = []
  private var crates: [Crate?] = (0..<5).map { Crate(x: $0 + 1) }
  private var observers: [Observer] = []
  private var openBlocks: [(crate: Int, key: String)] = []
  private var priorDepth = 0
  private var depth = 0

  private final class Observer {
    let name: String
    let watch: ChainWatch
    let crate: Crate
    var token: KeyValueObservation?
    var hasEnded = false
    var last: Int?
    var remainingCalls: Int

    init(_ name: String, _ watch: ChainWatch, of crate: Crate) {
      self.name = name
      self.watch = watch
      self.crate = crate
      remainingCalls = watch.times
      last = crate[keyPath: keyPath]
    }

    var keyPath: KeyPath<Crate, Int?> { Crate.keyPaths[watch.keyPath] }
    var value: Int? { crate[keyPath: keyPath] }
  }

  static func run(_ program: [ChainStep]) -> ChainRun {
    let run = ChainRun()
    // A block of a computed key is one of the values that a rollback cannot put back.
    KeyValueDiagnostics.withHandler({ _ in }) {
      run.run(program)
      run.finish()
    }
    return run
  }

  private func run(_ steps: [ChainStep]) {
    if depth > 12 { return }
    depth += 1
    for step in steps { run(step) }
    depth -= 1
  }

  private func note(_ line: @autoclosure () -> String) {
    history.append(String(repeating: "  ", count: depth) + line())
  }

  private func run(_ step: ChainStep) {
    switch step {
    case .end(let index):
      guard index < observers.count else { return }
      note("end \(observers[index].name)")
      observers[index].hasEnded = true
      observers[index].token?.invalidate()
    case .exchange(let slot, let x): exchange(slot, for: x.map { Crate(x: $0) })
    case .transaction(let rollsBack, let steps):
      note("transaction, rolled back: \(rollsBack)")
      try? withKeyValueTransaction {
        run(steps)
        if rollsBack { throw RolledBack() }
      }
      note("end of transaction")
    case .observe(let watch, let steps):
      // Observers that are registered then receive nothing of the change around them (P13, P19).
      if priorDepth == 0, openBlocks.isEmpty, observers.count < 24 { observe(watch, steps) }
    // Prior handlers change nothing but what they release: see Known limitations.
    case _ where priorDepth > 0: break
    case .block(let crate, let key, let steps): block(of: key, at: crate, steps)
    case .setX(let crate, let x):
      note("crate \(crate).x = \(x)")
      crates[crate]?.x = x
    case .setLabel(let crate, let label):
      note("crate \(crate).label = \(label)")
      crates[crate]?.label = label
    case .setNext(let crate, let target): lead(crate, "next", to: target) { $0.next = $1 }
    case .setOwner(let crate, let target):
      // A rollback between the notifications of two properties that held one object would end the second one.
      if let other = target.flatMap({ crates[$0] }), crates.contains(where: { $0?.owner === other })
      {
        return
      }
      lead(crate, "owner", to: target) { $0.owner = $1 }
    }
  }

  private struct RolledBack: Error {}

  private func lead(
    _ crate: Int, _ key: String, to target: Int?, _ set: (Crate, Crate?) -> Void
  ) {
    let other = target.flatMap { crates[$0] }
    note("crate \(crate).\(key) = crate \(target as Any)\(other == nil ? ", gone" : "")")
    if let crate = crates[crate] { set(crate, other) }
  }

  private func exchange(_ slot: Int, for crate: Crate?) {
    let former = crates[slot]
    note("release crate \(slot)\(crate == nil ? "" : " for another")")
    crates[slot] = crate
    withExtendedLifetime(former) {}
  }

  private func block(of key: String, at index: Int, _ steps: [ChainStep]) {
    guard let crate = crates[index] else { return }
    note("block of crate \(index).\(key)")
    openBlocks.append((index, key))
    crate.withMutation(forKey: key) {
      run(steps)
      if key == "reach" { crate.extra += 1000 }
    }
    openBlocks.removeLast()
    note("end of block")
  }

  private func observe(_ watch: ChainWatch, _ steps: [ChainStep]) {
    guard let crate = crates[watch.crate] else { return }
    let name = "\(observers.count): crate \(watch.crate), \(Crate.keyPaths[watch.keyPath])"
    let observer = Observer(name, watch, of: crate)
    observers.append(observer)
    note("observe \(name)\(watch.receivesPriors ? ", prior" : "")")
    let options: KeyValueObservation.Options =
      watch.receivesPriors ? [.old, .new, .prior] : [.old, .new]
    observer.token = crate.observe(observer.keyPath, options: options) {
      [unowned self, unowned observer] _, change in
      note("→ \(name): \(change)")
      if observer.hasEnded { faults.append("\(name) receives a change after its end.") }
      if !change.isPrior {
        if let old = change.oldValue, old != observer.last {
          faults.append("\(name) starts from \(old as Any), not \(observer.last as Any).")
        }
        observer.last = change.newValue ?? nil
      }
      guard observer.remainingCalls > 0 else { return }
      observer.remainingCalls -= 1
      if change.isPrior { priorDepth += 1 }
      run(steps)
      if change.isPrior { priorDepth -= 1 }
    }
  }

  private func finish() {
    for observer in observers {
      if !observer.hasEnded, observer.last != observer.value {
        faults.append("\(observer.name) is \(observer.value as Any), not \(observer.last as Any).")
      }
      observer.token?.invalidate()
    }
    for crate in crates { crate?.next = nil }
  }
}
