import Foundation
import KeyValueObservingFoundation
import KeyValueObservingTesting
import Testing
import TestSupport

@Suite("Observable progress")
struct ProgressTests {
  @Test("P2: each property is observed by typed key path, by string and by a classic observer")
  func surfaces() throws {
    let progress = ObservableProgress(totalUnitCount: 4)
    let lines = Lines()
    let screen = Screen()
    let options: KeyValueObservation.Options = [.old, .new]
    let tokens = [
      progress.observe(\.fractionCompleted, options: options) { lines.add("fraction", $1) },
      progress.observe(\.completedUnitCount, options: options) { lines.add("completed", $1) },
      progress.observe(\.isFinished, options: options) { lines.add("finished", $1) },
      try progress.observe("fractionCompleted", options: options) { lines.add("string", $1) },
    ]
    progress.addObserver(screen, forKeyPath: "fractionCompleted", options: [.prior, .old, .new])
    progress.completedUnitCount = 1
    progress.completedUnitCount = 1
    progress.totalUnitCount = 1
    #expect(
      lines.take() == [
        "completed: kind 1, new 1, old 0", "fraction: kind 1, new 0.25, old 0.0",
        "string: kind 1, new 0.25, old 0.0", "completed: kind 1, new 1, old 1",
        "fraction: kind 1, new 1.0, old 0.25", "string: kind 1, new 1.0, old 0.25",
        "finished: kind 1, new true, old false",
      ])
    #expect(
      screen.take() == [
        "fractionCompleted: kind 1, isPrior true, old 0.0",
        "fractionCompleted: kind 1, new 0.25, old 0.0",
        "fractionCompleted: kind 1, isPrior true, old 0.25",
        "fractionCompleted: kind 1, new 1.0, old 0.25",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("P2: a prior has the former values, but for the fraction if another property changes")
  func priors() {
    let progress = ObservableProgress(totalUnitCount: 1)
    var history: [String] = []
    func add(_ name: String, _ progress: ObservableProgress, isPrior: Bool) {
      let (isFinished, fraction) = (progress.isFinished, progress.fractionCompleted)
      if isPrior { history.append("\(name) \(isFinished) \(fraction)") }
    }
    let tokens = [
      progress.observe(\.fractionCompleted, options: .prior) {
        add("fraction", $0, isPrior: $1.isPrior)
      },
      progress.observe(\.isFinished, options: .prior) {
        add("finished", $0, isPrior: $1.isPrior)
      },
    ]
    progress.completedUnitCount = 1
    #expect(history == ["fraction false 0.0", "finished false 1.0"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P22: what a child completes is one change of each of its ancestors")
  func children() {
    let root = ObservableProgress(totalUnitCount: 2)
    let middle = ObservableProgress(totalUnitCount: 2, parent: root, pendingUnitCount: 1)
    let leaf = ObservableProgress(totalUnitCount: 4)
    middle.addChild(leaf, withPendingUnitCount: 2)
    let lines = Lines()
    let tokens = [(root, "root"), (middle, "middle"), (leaf, "leaf")].flatMap { progress, name in
      [
        progress.observe(\.fractionCompleted, options: [.old, .new]) {
          lines.add("\(name) fraction", $1)
        },
        progress.observe(\.completedUnitCount, options: .new) {
          lines.add("\(name) completed", $1)
        },
      ]
    }
    leaf.completedUnitCount = 2
    #expect(
      lines.take() == [
        "leaf completed: kind 1, new 2", "leaf fraction: kind 1, new 0.5, old 0.0",
        "middle fraction: kind 1, new 0.5, old 0.0", "root fraction: kind 1, new 0.25, old 0.0",
      ])
    leaf.completedUnitCount = 4
    #expect(
      lines.take() == [
        "leaf completed: kind 1, new 4", "leaf fraction: kind 1, new 1.0, old 0.5",
        "middle fraction: kind 1, new 1.0, old 0.5", "root fraction: kind 1, new 0.5, old 0.25",
        "middle completed: kind 1, new 2", "root completed: kind 1, new 1",
      ])
    withExtendedLifetime((root, middle, tokens)) {}
  }

  @Test("P24: before a change all observers find the old values of a tree, after it all new ones")
  func consistency() {
    let root = ObservableProgress(totalUnitCount: 1)
    let leaf = ObservableProgress(totalUnitCount: 1, parent: root, pendingUnitCount: 1)
    let lines = Lines()
    let tokens = [root, leaf].map { progress in
      progress.observe(\.fractionCompleted, options: .prior) { _, change in
        let fractions = [root, leaf].map { (try? $0.value(forKey: "fractionCompleted")) as? Double }
        lines.add("\(change.isPrior) \(fractions.map { $0 ?? -1 }) \(root.isFinished)")
      }
    }
    leaf.completedUnitCount = 1
    let (before, after) = ("true [0.0, 0.0] false", "false [1.0, 1.0] true")
    #expect(lines.take() == [before, before, after, after])
    withExtendedLifetime(tokens) {}
  }

  @Test("P8: a progress that was made for the current one is its child")
  func implicitChild() {
    let root = ObservableProgress.discreteProgress(totalUnitCount: 2)
    let lines = Lines()
    let token = root.observe(\.fractionCompleted, options: [.new, .distinct]) {
      lines.add("fraction", $1)
    }
    root.becomeCurrent(withPendingUnitCount: 1)
    let child = ObservableProgress(totalUnitCount: 2)
    child.completedUnitCount = 1
    root.resignCurrent()
    root.becomeCurrent(withPendingUnitCount: 1)
    root.resignCurrent()
    #expect(lines.take() == ["fraction: kind 1, new 0.25", "fraction: kind 1, new 0.75"])
    withExtendedLifetime(token) {}
  }

  @Test("P8: cancelling, pausing and resuming reach the children, also those that come later")
  func flags() {
    let root = ObservableProgress(totalUnitCount: 2)
    let child = ObservableProgress(totalUnitCount: 1, parent: root, pendingUnitCount: 1)
    let late = ObservableProgress(totalUnitCount: 1)
    let lines = Lines()
    let tokens = [(root, "root"), (child, "child"), (late, "late")].flatMap { progress, name in
      [
        progress.observe(\.isCancelled, options: .new) { lines.add("\(name) cancelled", $1) },
        progress.observe(\.isPaused, options: .new) { lines.add("\(name) paused", $1) },
      ]
    }
    root.pause()
    root.resume()
    root.cancel()
    #expect(
      lines.take() == [
        "root paused: kind 1, new true", "child paused: kind 1, new true",
        "root paused: kind 1, new false", "child paused: kind 1, new false",
        "root cancelled: kind 1, new true", "child cancelled: kind 1, new true",
      ])
    root.addChild(late, withPendingUnitCount: 1)
    #expect(lines.take() == ["late cancelled: kind 1, new true"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P8: a child that is added to a paused progress is paused")
  func pausedParent() {
    let root = ObservableProgress(totalUnitCount: 2)
    let late = ObservableProgress(totalUnitCount: 1)
    let lines = Lines()
    let token = late.observe(\.isPaused, options: .new) { lines.add("late paused", $1) }
    root.pause()
    root.addChild(late, withPendingUnitCount: 1)
    #expect(late.isPaused)
    #expect(lines.take() == ["late paused: kind 1, new true"])
    withExtendedLifetime(token) {}
  }

  @Test("P26: a key path through a progress ends in its fraction, and follows another progress")
  func keyPaths() throws {
    let task = Task(ObservableProgress(totalUnitCount: 2))
    let lines = Lines()
    let token = task.observe(\.progress.fractionCompleted, options: [.old, .new]) {
      lines.add("typed \($1.reason)", $1)
    }
    let other = try task.observe("progress.fractionCompleted", options: [.old, .new]) {
      lines.add("string \($1.reason)", $1)
    }
    let computed = task.observe(\.percent, options: [.old, .new]) { lines.add("percent", $1) }
    task.progress.completedUnitCount = 1
    #expect(
      lines.take() == [
        "typed valueChanged: kind 1, new 0.5, old 0.0",
        "string valueChanged: kind 1, new 0.5, old 0.0", "percent: kind 1, new 50, old 0",
      ])
    task.progress = ObservableProgress(totalUnitCount: 1)
    #expect(
      lines.take() == [
        "typed pathChanged: kind 1, new 0.0, old 0.5",
        "string pathChanged: kind 1, new 0.0, old 0.5", "percent: kind 1, new 0, old 50",
      ])
    withExtendedLifetime((task, token, other, computed)) {}
  }

  @Test("P12: an observer of a fraction may complete more of the work")
  func reentrancy() {
    let progress = ObservableProgress(totalUnitCount: 3)
    let lines = Lines()
    let token = progress.observe(\.fractionCompleted) { progress, _ in
      if progress.completedUnitCount < 3 { progress.completedUnitCount += 1 }
    }
    let other = progress.observe(\.completedUnitCount, options: [.old, .new]) {
      lines.add("completed", $1)
    }
    progress.completedUnitCount = 1
    #expect(
      lines.take() == [
        "completed: kind 1, new 1, old 0", "completed: kind 1, new 2, old 1",
        "completed: kind 1, new 3, old 2",
      ])
    #expect(progress.isFinished)
    withExtendedLifetime((token, other)) {}
  }

  @Test("P38: children make progress on many threads, and the last change has the fraction of all")
  func threads() async {
    let root = ObservableProgress(totalUnitCount: 8)
    let children = (0..<8).map { _ in
      ObservableProgress(totalUnitCount: 100, parent: root, pendingUnitCount: 1)
    }
    let fractions = Guarded<[Double]>([])
    let ends = Guarded(0)
    let tokens = [
      root.observe(\.fractionCompleted, options: .new, isolation: nil) { _, change in
        fractions.withLock { $0.append(change.newValue ?? -1) }
      },
      root.observe(\.isFinished, isolation: nil) { _, _ in ends.withLock { $0 += 1 } },
    ]
    await withTaskGroup { group in
      for child in children {
        group.addTask { for _ in 0..<100 { child.completedUnitCount += 1 } }
      }
    }
    #expect(root.fractionCompleted == 1)
    #expect(fractions.withLock(\.last) == 1)
    #expect(fractions.withLock(\.count) == 800)
    #expect(ends.withLock(\.self) == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test("P21: properties that a subclass adds are observable")
  func subclass() {
    let progress = Import(totalUnitCount: 2)
    let lines = Lines()
    let tokens = [
      progress.observe(\.file, options: .new) { lines.add("file", $1) },
      progress.observe(\.title, options: .new) { lines.add("title", $1) },
      progress.observe(\.isFinished, options: .new) { lines.add("finished", $1) },
    ]
    progress.file = "b"
    progress.completedUnitCount = 2
    #expect(
      lines.take() == [
        "file: kind 1, new b", "title: kind 1, new b 0", "finished: kind 1, new true",
        "title: kind 1, new b 2",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P48: a set by an observer is delivered behind the change that caused it")
  func setInCallback() {
    let root = ObservableProgress(totalUnitCount: 2)
    let parts = (0..<2).map { _ in
      ObservableProgress(totalUnitCount: 1, parent: root, pendingUnitCount: 1)
    }
    var (fractions, states): ([Double], [Bool]) = ([], [])
    let tokens = [
      parts[0].observe(\.isFinished) { _, _ in parts[1].completedUnitCount = 1 },
      root.observe(\.fractionCompleted, options: [.old, .new]) {
        fractions += [$1.oldValue!, $1.newValue!]
      },
      parts[1].observe(\.completedUnitCount) { part, _ in
        if part.isFinished { part.completedUnitCount = 0 }
      },
      parts[1].observe(\.isFinished, options: [.old, .new]) {
        states += [$1.oldValue!, $1.newValue!]
      },
    ]
    parts[0].completedUnitCount = 1
    #expect(fractions == [0, 0.5, 0.5, 1, 1, 0.5])
    #expect(states == [false, true, true, false])
    withExtendedLifetime(tokens) {}
  }

  @Test("P5: a tree is released with its last reference")
  func lifetime() {
    weak var root: ObservableProgress?
    weak var child: ObservableProgress?
    do {
      let parent = ObservableProgress(totalUnitCount: 1)
      let part = ObservableProgress(totalUnitCount: 1, parent: parent, pendingUnitCount: 1)
      let token = parent.observe(\.fractionCompleted) { _, _ in }
      part.completedUnitCount = 1
      (root, child) = (parent, part)
      withExtendedLifetime((token, parent, part)) {}
    }
    #expect(root == nil)
    #expect(child == nil)
  }

  @Test(
    "a progress passes the checks of the conformance kit", arguments: KeyValueConformanceCheck.all)
  func conformance(check: KeyValueConformanceCheck) {
    for surface in [KeyValueConformanceSurface.closure, .observer] {
      check.expect(
        of: KeyValueConformanceSource(
          key: "completedUnitCount", values: (Int64(1), Int64(2), Int64(3)), surface: surface
        ) { ObservableProgress(totalUnitCount: 10) })
    }
  }
}

@KeyValueObservable
private final class Import: ObservableProgress, @unchecked Sendable {
  var file = "a"
  var title: String { "\(file) \(completedUnitCount)" }
}

@KeyValueObservable
private final class Task {
  var progress: ObservableProgress

  init(_ progress: ObservableProgress) {
    self.progress = progress
  }

  @KeyValueDependent(on: "progress.fractionCompleted")
  var percent: Int { Int(progress.fractionCompleted * 100) }
}
