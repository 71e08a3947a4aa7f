import KeyValueObservingTesting
import Testing

@testable import KeyValueObservingObservation

@Suite("The conformance kit over sources")
@MainActor
struct SourceConformanceTests {
  /// The guarantees for changes that are delivered afterwards.
  ///
  /// The checks of string keys (P6, P43) use those of the object that has the source: a source has
  /// none.
  private nonisolated static let applying = KeyValueConformanceCheck.all.filter(applies)

  private nonisolated static func applies(_ check: KeyValueConformanceCheck) -> Bool {
    !reasons.keys.contains { check.description.hasPrefix($0) }
  }

  /// How the checks that do not apply begin, and why they do not.
  private nonisolated static let reasons = [
    "P2:": "half of its combinations of options ask for prior notifications",
    "P9:": "@Observable reports no assignment of an equal value",
    "P10:": "its observers ask for prior notifications",
    "P50: an error": "@Observable reports a set when its transaction has ended",
    "P54:": "@Observable reports a set when its transaction has ended",
    "P55:": "a pair is one of the object that has the source",
    "P57:": "its observation is one of the object that has the source",
  ]

  @Test(
    "P96: a source passes the checks of the kit that its promises allow",
    arguments: applying)
  func checks(check: KeyValueConformanceCheck) {
    check.expect(
      of: KeyValueConformanceSource(
        key: "title", values: ("a", "b", "c"), link: "next", surface: .source
      ) { Shelf(ObservableSource(Song())) })
  }

  @Test(
    "P96: so does a computed property that reads one",
    arguments: applying)
  func computed(check: KeyValueConformanceCheck) {
    check.expect(
      of: KeyValueConformanceSource(key: "title", values: ("a", "b", "c"), link: "next") {
        Shelf(ObservableSource(Song()))
      })
  }

  @Test("P2: a change holds what the options ask for, where they do not ask for priors")
  func options() {
    for bits in UInt(0)..<16 {
      let options = KeyValueObservation.Options(rawValue: bits)
      if options.contains(.prior) { continue }
      let source = ObservableSource(Song())
      var changes: [KeyValueChange<String>] = []
      let token = source.observe(\.title, options: options) { changes.append($1) }
      source.title = "b"
      source.changes.deliver()
      let (old, new) = (options.contains(.old) ? "a" : nil, options.contains(.new))
      if options.contains(.initial) {
        let initial = changes.removeFirst()
        #expect(initial.newValue == (new ? "a" : nil) && initial.oldValue == nil)
      }
      #expect(changes.count == 1 && changes[0].newValue == (new ? "b" : nil))
      #expect(changes[0].oldValue == old && !changes[0].isPrior)
      withExtendedLifetime((source, token)) {}
    }
  }

  @Test("P96: the checks that do not apply would fail, all of them")
  func others() {
    for check in KeyValueConformanceCheck.all where !Self.applies(check) {
      let failures = check.failures(
        of: KeyValueConformanceSource(
          key: "title", values: ("a", "b", "c"), link: "next", surface: .source
        ) { Shelf(ObservableSource(Song())) })
      #expect(!failures.isEmpty, "\(check)")
    }
  }
}

/// An object with a source, whose changes are delivered when they have been made: the checks of the kit
/// do not suspend.
@KeyValueObservable
private final class Shelf {
  let source: ObservableSource<Song>
  var next: Shelf?
  var title: String {
    get { source.title }
    set {
      source.title = newValue
      source.changes.deliver()
    }
  }

  init(_ source: ObservableSource<Song>) { self.source = source }
}

extension KeyValueConformanceSurface {
  /// Observes the source itself, and key paths that lead to it.
  fileprivate static var source: Self {
    Self { object, keyPath, options, handler in
      guard let shelf = object as? Shelf else {
        return try object.observe(keyPath, options, handler)
      }
      switch keyPath {
      case "title":
        let token = shelf.source.observe(\.title, options: options) { handler($1.erased) }
        return { token.invalidate() }
      case "next.title":
        return shelf.observe(\.next?.source.title, options, handler)
      case "next.next.title":
        return shelf.observe(\.next?.next?.source.title, options, handler)
      default:
        return try shelf.observe(keyPath, options, handler)
      }
    }
  }
}

extension KeyValueObservable {
  fileprivate func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, _ options: KeyValueObservation.Options,
    _ handler: @escaping (KeyValueChange<Any?>) -> Void
  ) -> () -> Void {
    let token = observe(keyPath, options: options) { handler($1.erased) }
    return { token.invalidate() }
  }

  fileprivate func observe(
    _ keyPath: String, _ options: KeyValueObservation.Options,
    _ handler: @escaping (KeyValueChange<Any?>) -> Void
  ) throws -> () -> Void {
    let token = try observe(keyPath, options: options) { handler($1) }
    return { token.invalidate() }
  }
}

extension KeyValueChange {
  fileprivate var erased: KeyValueChange<Any?> {
    KeyValueChange<Any?>(
      kind: kind, newValue: newValue.map { $0 as Any? }, oldValue: oldValue.map { $0 as Any? },
      isPrior: isPrior, reason: reason)
  }
}
