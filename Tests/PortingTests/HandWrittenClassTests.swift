import Foundation
import KeyValueObserving
import Testing

/// The classes of the article on conforming without the macro.
private enum HandWritten {
  // guide: hand-class
  final class Person: KeyValueObservable {
    let keyValueRegistrar = KeyValueRegistrar()

    static func keyValueProperties() -> [KeyValueProperty] {
      [.stored("name", \Person.name, chained: \Person?.?.name)]
    }

    private var storedName: String

    var name: String {
      get {
        if KeyValueRegistrar.isTracking { keyValueRegistrar.access("name", of: self) }
        return storedName
      }
      set {
        if keyValueRegistrar.isObserved {
          keyValueRegistrar.set(
            "name", of: self, to: newValue, read: { storedName }, write: { storedName = $0 })
        } else {
          storedName = newValue
        }
      }
    }

    init(name: String) {
      storedName = name
    }
  }
  // end

  final class Signatures {
    nonisolated(unsafe) static let shared = Signatures()

    var signatures: [Int: String] = [:]

    func signature(of id: Int) -> String { signatures[id] ?? "" }
  }

  final class Article: KeyValueObservable {
    let keyValueRegistrar = KeyValueRegistrar()
    let id = 1

    // guide: hand-list
    static func keyValueProperties() -> [KeyValueProperty] {
      [
        .constant("id", \Article.id, chained: \Article?.?.id),
        .stored("tags", \Article.tags, chained: \Article?.?.tags),
        .weak("editor", \Article.editor, chained: \Article?.?.editor),
        .stored("revision", \Article.revision, chained: \Article?.?.revision, isReadOnly: true),
        .computed("heading", \Article.heading, chained: \Article?.?.heading, isReadOnly: true),
        .computed(
          "signature", \Article.signature, chained: \Article?.?.signature, isReadOnly: true,
          dependsOn: ["title", "editor.name"]),
      ]
    }
    // end

    // guide: hand-in-place
    private var storedTags: [String] = []

    var tags: [String] {
      get {
        if KeyValueRegistrar.isTracking { keyValueRegistrar.access("tags", of: self) }
        return storedTags
      }
      set {
        if keyValueRegistrar.isObserved {
          keyValueRegistrar.set(
            "tags", of: self, to: newValue, read: { storedTags }, write: { storedTags = $0 })
        } else {
          storedTags = newValue
        }
      }
      _modify {
        if keyValueRegistrar.isObserved {
          let modification = keyValueRegistrar.willModify("tags", of: self, read: { storedTags })
          defer { keyValueRegistrar.didModify(modification, of: self, read: { storedTags }) }
          yield &storedTags
        } else {
          yield &storedTags
        }
      }
    }
    // end

    // guide: hand-weak
    private weak var storedEditor: Person?

    var editor: Person? {
      get {
        if KeyValueRegistrar.isTracking {
          keyValueRegistrar.access("editor", of: self, target: storedEditor)
        }
        return storedEditor
      }
      set {
        if keyValueRegistrar.isObserved {
          keyValueRegistrar.setWeak(
            "editor", of: self, to: newValue, read: { storedEditor }, write: { storedEditor = $0 })
        } else {
          storedEditor = newValue
        }
      }
    }
    // end

    var revision: Int { 1 }
    let title = "Notes"

    // guide: hand-computed
    var heading: String { "\(title) (\(revision))" }
    // end

    // guide: hand-declared
    var signature: String { Signatures.shared.signature(of: id) }
    // end
  }

  // guide: hand-subclass
  class Animal: KeyValueObservable {
    final let keyValueRegistrar = KeyValueRegistrar()

    class func keyValueProperties() -> [KeyValueProperty] {
      func properties<Subject: Animal>(of _: Subject.Type) -> [KeyValueProperty] {
        [.stored("sound", \Subject.sound, chained: \Subject?.?.sound)]
      }
      return properties(of: Self.self)
    }

    class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    private var storedSound = ""

    var sound: String {
      get {
        if KeyValueRegistrar.isTracking { keyValueRegistrar.access("sound", of: self) }
        return storedSound
      }
      set {
        if keyValueRegistrar.isObserved {
          keyValueRegistrar.set(
            "sound", of: self, to: newValue, read: { self.sound }, write: { storedSound = $0 })
        } else {
          storedSound = newValue
        }
      }
    }
  }

  class Dog: Animal {
    override class func keyValueProperties() -> [KeyValueProperty] {
      func properties<Subject: Dog>(of _: Subject.Type) -> [KeyValueProperty] {
        [.stored("trick", \Subject.trick, chained: \Subject?.?.trick)]
      }
      return super.keyValueProperties() + properties(of: Self.self)
    }

    // … and the accessors of `trick`, like those of `sound`.
  }
  // end

  // guide: hand-lock
  final class Node: KeyValueObservable, @unchecked Sendable {  // `storedNext` is guarded by `lock`
    let keyValueRegistrar = KeyValueRegistrar()
    private let lock = NSLock()
    private var storedNext: Node?

    static func keyValueProperties() -> [KeyValueProperty] {
      [.stored("next", \Node.next, chained: \Node?.?.next)]
    }

    var next: Node? {
      get {
        if KeyValueRegistrar.isTracking { keyValueRegistrar.access("next", of: self) }
        return lock.withLock { storedNext }
      }
      set {
        keyValueRegistrar.set(
          "next", of: self, to: newValue, read: { lock.withLock { storedNext } },
          write: { node in
            // Released outside of the lock, because its deallocation may call observers.
            let former = lock.withLock { exchange(&storedNext, with: node) }
            withExtendedLifetime(former) {}
          })
      }
    }
  }
  // end

  // guide: hand-actor
  @MainActor
  final class Screen: @MainActor KeyValueObservable {
    nonisolated let keyValueRegistrar = KeyValueRegistrar()

    // … as above.
  }
  // end

  // guide: hand-row
  final class Row: KeyValueObservable {
    let keyValueRegistrar = KeyValueRegistrar()

    static func keyValueProperties() -> [KeyValueProperty] { [] }

    static var hasDynamicKeys: Bool { true }

    func keyValueProperty(forKey key: String) -> KeyValueProperty? {
      .entry(
        key, of: Row.self, valueType: Int?.self, get: { $0[key] }, set: { $0[key] = $1 as? Int })
    }

    private var columns: [String: Int] = [:]

    subscript(column: String) -> Int? {
      get {
        if KeyValueRegistrar.isTracking { keyValueRegistrar.access(dynamicKey: column, of: self) }
        return columns[column]
      }
      set {
        keyValueRegistrar.set(
          dynamicKey: column, of: self, to: newValue as Any?,
          read: { columns[column] as Any? },
          write: { columns[column] = $0 as? Int })
      }
    }
  }
  // end
}

extension HandWritten.Dog {
  fileprivate var trick: String {
    get { "" }
    set {}
  }
}

extension HandWritten.Screen {
  fileprivate static func keyValueProperties() -> [KeyValueProperty] { [] }
}

@Suite("Conforming without the macro")
struct HandWrittenClassTests {
  @Test("P8, P17: a set and a mutation in place are delivered, and a throwing one as well")
  func changes() throws {
    struct Failure: Error {}
    let person = HandWritten.Person(name: "Ada")
    let article = HandWritten.Article()
    var changes: [String] = []
    let names = person.onChange(of: \.name) { changes.append($0) }
    let tags = article.onChange(of: \.tags) { changes.append($0.joined(separator: " ")) }
    person.name = "Grace"
    article.tags.append("a")
    func appendAndThrow(_ tags: inout [String]) throws {
      tags.append("b")
      throw Failure()
    }
    #expect(throws: Failure.self) { try appendAndThrow(&article.tags) }
    #expect(changes == ["Grace", "a", "a b"])
    withExtendedLifetime((names, tags)) {}
  }

  @Test("P21, P27: a dependency behind a weak property, and its deallocation, are delivered")
  func dependents() {
    let article = HandWritten.Article()
    var changes: [String] = []
    let signatures = article.onChange(of: \.signature) { changes.append("signature \($0)") }
    let names = article.onChange(of: \.editor?.name) { changes.append($0 ?? "nil") }
    var editor: HandWritten.Person? = HandWritten.Person(name: "Ada")
    article.editor = editor
    editor?.name = "Grace"
    editor = nil
    #expect(changes.filter { !$0.hasPrefix("signature") } == ["Ada", "Grace", "nil"])
    #expect(changes.filter { $0.hasPrefix("signature") }.count == 3)
    withExtendedLifetime((signatures, names)) {}
  }

  @Test("P6, P69: a subclass lists its own keys, and a row refuses a value of another type")
  func keys() throws {
    #expect(HandWritten.Dog.keyValueProperties().count == 2)
    let row = HandWritten.Row()
    var changes: [String] = []
    let width = try row.observe("width", options: [.old, .new]) { changes.append("\($1)") }
    row["width"] = 2
    try row.setValue(3.0, forKey: "width")
    #expect(throws: KeyValueCodingError.self) { try row.setValue("wide", forKey: "width") }
    #expect(changes == ["setting from nil to 2", "setting from 2 to 3"])
    withExtendedLifetime(width) {}
  }

  @Test("P38: a class that locks its storage delivers each set once")
  func lock() {
    let (node, next) = (HandWritten.Node(), HandWritten.Node())
    var count = 0
    let observation = node.observe(\.next?.next) { _, _ in count += 1 }
    node.next = next
    next.next = HandWritten.Node()
    #expect(count == 2)
    withExtendedLifetime(observation) {}
  }
}
