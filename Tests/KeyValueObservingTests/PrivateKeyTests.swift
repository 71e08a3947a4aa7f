// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import KeyValueObserving
import Testing

@KeyValueObservable
private class Safe {
  private var code = 1
  fileprivate var attempts = 0
  private let maker = "Acme"
  private var isOpen: Bool { code > 1 }
  private var notes = ["a"]
  private weak var neighbor: Safe?
  public internal(set) var label = "left"

  func turn() { code += 1 }
  func write(_ note: String) { notes.append(note) }
  func move(next other: Safe?) { neighbor = other }
}

@KeyValueObservable
private final class NumberedSafe: Safe {
  private var code = "none"

  func number(_ number: String) { code = number }
}

@KeyValueObservable
public class Vault {
  public internal(set) var floor = 0
  public package(set) var doors = 1
  public private(set) var guards = 2
  public var owner = "Ann"
  var keys = 3
}

extension AllTests {
  @Suite("Private properties by key")
  struct PrivateKeyTests {
    private let recorder = Recorder()

    @Test("P6: a string observes a private property")
    func observes() throws {
      let safe = Safe()
      var tokens: [KeyValueObservation] = []
      for key in ["code", "attempts", "isOpen", "notes", "neighbor.code", "neighbor.notes.@count"] {
        tokens.append(
          try safe.observe(key, options: [.old, .new], changeHandler: recorder.receives(key)))
      }
      safe.turn()
      #expect(recorder.take() == ["code 1→2", "isOpen false→true"])
      safe.attempts += 1
      safe.write("b")
      #expect(recorder.take() == ["attempts 0→1", #"notes ["a"]→["a", "b"]"#])
      let other = Safe()
      safe.move(next: other)
      #expect(
        recorder.take() == ["neighbor.code nil→1 path", "neighbor.notes.@count nil→1 path"])
      other.turn()
      other.write("b")
      #expect(recorder.take() == ["neighbor.code 1→2", "neighbor.notes.@count 1→2"])
      tokens.removeAll()
      safe.turn()
      other.turn()
      #expect(recorder.take().isEmpty)
    }

    @Test("P42: a string reads a private property and does not set it")
    func reads() throws {
      let safe = Safe()
      #expect(try safe.value(forKey: "code") as? Int == 1)
      #expect(try safe.value(forKey: "attempts") as? Int == 0)
      #expect(try safe.value(forKey: "maker") as? String == "Acme")
      #expect(try safe.value(forKeyPath: "notes.@count") as? Int == 1)
      for key in ["code", "attempts", "maker", "isOpen", "notes"] {
        #expect(throws: KeyValueCodingError.readOnly(type: Safe.self, key: key)) {
          try safe.setValue(2, forKey: key)
        }
        #expect(throws: KeyValueCodingError.readOnly(type: Safe.self, key: key)) {
          try safe.setValues([key: 2])
        }
      }
      #expect(throws: KeyValueCodingError.readOnly(type: Safe.self, key: "notes")) {
        try safe.mutableArrayValue(forKey: "notes")
      }
      #expect(safe.attempts == 0)
    }

    @Test("P42: of two private properties of one key a string means that of the subclass")
    func namesakes() throws {
      let (safe, other) = (NumberedSafe(), NumberedSafe())
      safe.move(next: other)
      #expect(try safe.value(forKey: "code") as? String == "none")
      #expect(try safe.value(forKeyPath: "neighbor.code") as? String == "none")
      let tokens = [
        try safe.observe("code", options: [.old, .new], changeHandler: recorder.receives("code")),
        try safe.observe(
          "neighbor.code", options: [.old, .new], changeHandler: recorder.receives("neighbor")),
      ]
      safe.turn()
      other.turn()
      #expect(recorder.take().isEmpty)
      safe.number("7")
      other.number("8")
      #expect(recorder.take() == ["code none→7", "neighbor none→8"])
      let plain = Safe()
      safe.move(next: plain)
      plain.turn()
      #expect(recorder.take() == ["neighbor 8→1 path", "neighbor 1→2"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P42: a setter that is less accessible than its getter is read-only to strings")
    func setters() throws {
      let vault = Vault()
      for key in ["floor", "doors", "guards"] {
        #expect(throws: KeyValueCodingError.readOnly(type: Vault.self, key: key)) {
          try vault.setValue(5, forKey: key)
        }
      }
      try vault.setValues(["owner": "Bob", "keys": 4])
      #expect(vault.owner == "Bob" && vault.keys == 4)
    }

    @Test("P42: what no code of the module sets less than it reads is set by strings")
    func sameReach() throws {
      let safe = Safe()
      try safe.setValue("right", forKey: "label")
      #expect(safe.label == "right")
    }
  }
}
