import KeyValueObserving

extension Scene {
  static let swappedToken = Scene(
    title: "One observer, kept in one place",
    claim: "Assigning a token ends the observation whose token was there before.",
    code: #"""
      let first = Article("First")
      let second = Article("Second")
      var observation: KeyValueObservation?

      observation = first.onChange(of: \.title) { print("the title is now \($0)") }
      first.title = "First, revised"

      observation = second.onChange(of: \.title) { print("the title is now \($0)") }
      first.title = "First, revised without an observer"
      second.title = "Second, revised"

      observation = nil
      second.title = "Second, final"
      """#
  ) { print in
    // shown
    let first = Article("First")
    let second = Article("Second")
    var observation: KeyValueObservation?

    observation = first.onChange(of: \.title) { print("the title is now \($0)") }
    first.title = "First, revised"

    observation = second.onChange(of: \.title) { print("the title is now \($0)") }
    first.title = "First, revised without an observer"
    second.title = "Second, revised"

    observation = nil
    second.title = "Second, final"
    // end of what is shown
  }
}
