import KeyValueObserving
import Testing

@testable import KvoCommand

@Suite struct SaveChangesTests {
  @Test func `Settings of one save are one, from the first old value to the last new one`() {
    var changes = SaveChanges()
    changes.add(KeyValueChange(newValue: .some(2), oldValue: .some(1)))
    changes.add(KeyValueChange(newValue: .some(3), oldValue: .some(2), reason: .pathChanged))
    changes.add(KeyValueChange(newValue: .some(4), oldValue: .some(3)))
    #expect(reported(&changes) == ["setting pathChanged 1 4"])
    #expect(reported(&changes) == [])
  }

  @Test func `A value that is what it was before the save is not reported`() {
    var changes = SaveChanges()
    changes.add(KeyValueChange(newValue: .some(2), oldValue: .some(1)))
    changes.add(KeyValueChange(newValue: .some(1), oldValue: .some(2)))
    #expect(reported(&changes) == [])
  }

  @Test func `What happens to elements stays as it is`() {
    var changes = SaveChanges()
    let indexes = RangeSet([0..<1])
    changes.add(KeyValueChange(kind: .removal, oldValue: .some(["a"]), indexes: indexes))
    changes.add(KeyValueChange(kind: .insertion, newValue: .some(["b"]), indexes: indexes))
    changes.add(KeyValueChange(newValue: .some(2), oldValue: .some(1)))
    #expect(
      reported(&changes) == [
        #"removal valueChanged ["a"] null"#, #"insertion valueChanged null ["b"]"#,
        "setting valueChanged 1 2",
      ])
  }

  @Test func `An old object is reported as it was, whatever becomes of it`() {
    var changes = SaveChanges()
    let object = KeyValueDictionary(["a": 1])
    changes.add(KeyValueChange(newValue: .some(nil), oldValue: .some(object)))
    object["a"] = 2
    #expect(reported(&changes) == [#"setting valueChanged {"a":1} null"#])
  }

  private func reported(_ changes: inout SaveChanges) -> [String] {
    changes.take().map { change in
      let old = JSONText.text(of: change.oldValue ?? nil)
      return "\(change.kind) \(change.reason) \(old) \(JSONText.text(of: change.newValue ?? nil))"
    }
  }
}
