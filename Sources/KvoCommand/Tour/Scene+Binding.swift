import KeyValueObserving

extension Scene {
  static let binding = Scene(
    title: "Two properties kept equal",
    claim: "A set of either sets the other, and observers of both see them equal.",
    code: #"""
      let (person, draft) = (Person("Ada"), Person(""))
      let binding = person.bind(\.name, to: draft, \.name)
      let observation = draft.onChange(of: \.name) { name in
        print("the draft is \(name), the person \(person.name)")
      }
      person.name = "Ada Lovelace"
      draft.name = "Grace"
      binding.invalidate()
      observation.invalidate()
      """#
  ) { print in
    // shown
    let (person, draft) = (Person("Ada"), Person(""))
    let binding = person.bind(\.name, to: draft, \.name)
    let observation = draft.onChange(of: \.name) { name in
      print("the draft is \(name), the person \(person.name)")
    }
    person.name = "Ada Lovelace"
    draft.name = "Grace"
    binding.invalidate()
    observation.invalidate()
    // end of what is shown
  }
}
