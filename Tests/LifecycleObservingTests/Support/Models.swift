import LifecycleObserving
import Synchronization

@KeyValueObservable
final class Scroller {
  var contentSize = 0
  var title = ""
  var inset: Inset?

  init(_ contentSize: Int = 0) {
    self.contentSize = contentSize
  }
}

@KeyValueObservable
final class Inset {
  var top = 0
}

/// A screen that is not observable itself.
final class Screen: LifecycleOwner {
  let lifecycle = Lifecycle()
  var scroller: Scroller?
  var lines: [String] = []

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A screen whose properties can be observed.
@KeyValueObservable
final class ObservableScreen: LifecycleOwner {
  let lifecycle = Lifecycle()
  var scroller: Scroller?
  @KeyValueIgnored var lines: [String] = []

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// Writes down the moments of owners, for several observers in one history.
final class Log {
  var lines: [String] = []

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

final class Observer: LifecycleObserver {
  private let name: String
  private let log: Log
  var react: (Lifecycle.Moment, any LifecycleOwner) -> Void = { _, _ in }

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  private func write(_ moment: Lifecycle.Moment, _ owner: any LifecycleOwner) {
    log.lines.append("\(name) \(moment)")
    react(moment, owner)
  }

  func didLoad(_ owner: any LifecycleOwner) { write(.didLoad, owner) }
  func willAppear(_ owner: any LifecycleOwner) { write(.willAppear, owner) }
  func didAppear(_ owner: any LifecycleOwner) { write(.didAppear, owner) }
  func willDisappear(_ owner: any LifecycleOwner) { write(.willDisappear, owner) }
  func didDisappear(_ owner: any LifecycleOwner) { write(.didDisappear, owner) }
}

/// Collects the diagnostics of this process.
///
/// Tests use it in a process of their own.
enum Diagnostics {
  private static let sentences = Mutex<[String]>([])

  static func collect() {
    KeyValueDiagnostics.handler = { diagnostic in
      sentences.withLock { $0.append(diagnostic.description) }
    }
  }

  static func take() -> [String] {
    sentences.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }
}

func text<Value>(_ change: KeyValueChange<Value>) -> String {
  func side(_ value: Value?) -> String { value.map { "\($0)" } ?? "" }
  return "\(side(change.oldValue))→\(side(change.newValue))"
}
