import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Changes of optional properties")
  struct OptionalChangeTests {
    @Test("P2: values that are absent or nil are nil without a second optional")
    func flat() {
      let person = Person("Ann")
      var names: [String?] = []
      let token = person.observe(\.boss?.name, options: [.old, .new, .prior]) { _, change in
        names += [change.oldValueOrNil, change.newValueOrNil]
      }
      person.boss = Person("Top")
      person.boss = nil
      #expect(names == [nil, nil, nil, "Top", "Top", nil, "Top", nil])
      withExtendedLifetime((token, person)) {}
      let erased = KeyValueChange<Any?>(newValue: .some(7), oldValue: .some(nil))
      #expect(erased.newValueOrNil as? Int == 7 && erased.oldValueOrNil == nil)
    }
  }
}
