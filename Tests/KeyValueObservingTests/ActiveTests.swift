import KeyValueObserving
import Testing

extension AllTests {
  @Suite("The state of tokens")
  struct ActiveTests {
    @Test("P31: a token is active until it is invalidated, however it observes")
    func invalidated() throws {
      let person = Person("Ann")
      let tokens = [
        person.observe(\.name) { _, _ in }, person.observe(\.boss?.name) { _, _ in },
        try person.observe("boss.name") { _, _ in }, person.onChange(of: \.name, \.age) {},
        person.onDeinit {}, KeyValueObservation {},
      ]
      for token in tokens {
        #expect(token.isActive)
        token.invalidate()
        #expect(!token.isActive)
      }
      withExtendedLifetime(person) {}
    }

    @Test("P33: a token is not active after the object has been deallocated")
    func deallocated() {
      var person: Person? = Person("Ann")
      let tokens = [
        person!.observe(\.name) { _, _ in }, person!.observe(\.boss?.name) { _, _ in },
        person!.onDeinit {}, person!.onChange(of: \.name, \.age) {},
      ]
      #expect(tokens.map(\.isActive) == [true, true, true, true])
      person = nil
      #expect(tokens.map(\.isActive) == [false, false, false, false])
    }

    @Test("P31, P33: an observer is active until it is cancelled or its source is deallocated")
    func observer() {
      var person: Person? = Person("Ann")
      let observers = (0..<2).map { _ in
        KeyValueObserver(source: person!, keyPath: \.name) { _, _ in }
      }
      #expect(observers.map(\.isActive) == [true, true])
      observers[0].cancel()
      #expect(observers.map(\.isActive) == [false, true])
      person = nil
      #expect(observers.map(\.isActive) == [false, false])
    }

    @Test("P32: one set keeps the tokens of observers beside others, and ends them")
    func store() {
      let person = Person("Ann")
      var names: [String] = []
      var set: Set<KeyValueObservation> = []
      var array: [KeyValueObservation] = []
      do {
        let observer = KeyValueObserver(
          source: person, keyPath: \.name, options: .new
        ) { change, _ in
          names.append("set \(change.newValue!)")
        }
        observer.store(in: &set)
        person.onChange(of: \.name) { names.append("closure \($0)") }.store(in: &set)
        KeyValueObserver(source: person, keyPath: \.name, options: .new) { change, _ in
          names.append("array \(change.newValue!)")
        }.store(in: &array)
      }
      person.name = "Bob"
      #expect(names == ["set Bob", "closure Bob", "array Bob"])
      set = []
      array = []
      person.name = "Cid"
      #expect(names.count == 3)
    }
  }
}
