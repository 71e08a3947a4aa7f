import KeyValueObserving
import Testing

@Suite("Porting keyPathsForValuesAffecting…")
struct DependentKeyTests {
  // guide: dependent
  @KeyValueObservable
  final class Person {
    var givenName = "Ada"
    var familyName = "Byron"
    @KeyValueIgnored private(set) var portraits = ["byron.png"]

    var fullName: String { "\(givenName) \(familyName)" }

    @KeyValueDependent(on: "familyName")
    var portrait: String? { portraits.last }

    func marry(_ name: String) {
      portraits.append("\(name.lowercased()).png")
      familyName = name
    }
  }
  // end

  @Test("P21, P22: keyPathsForValuesAffecting is needed only for what a getter reads elsewhere")
  func dependencies() throws {
    try expectPrints("dependent") {
      // guide: dependent
      let person = Person()
      let names = person.onChange(of: \.fullName) { print($0) }
      let portraits = person.onChange(of: \.portrait) { print($0 ?? "none") }
      person.marry("King")
      // prints Ada King
      // prints king.png
      names.invalidate()
      portraits.invalidate()
      // end
    }
  }

  @KeyValueObservable
  class Animal {
    var name = "Rex"
    @KeyValueIgnored var calls = 0
    var greeting: String { "\(calls)" }

    class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "greeting" ? ["name"] : []
    }
  }

  @KeyValueObservable
  final class Dog: Animal {
    var trick = "sit"

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "greeting" ? ["trick"] : []
    }
  }

  @Test("P21: keyPathsForValuesAffectingValue(forKey:) is united with that of the superclass")
  func united() {
    let dog = Dog()
    var count = 0
    let observation = dog.onChange(of: \.greeting) { _ in count += 1 }
    dog.name = "Bob"
    dog.trick = "roll"
    #expect(count == 2)
    observation.invalidate()
  }
}
