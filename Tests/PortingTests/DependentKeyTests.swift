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

  @KeyValueObservable
  class Account {
    var name = "Ada"
    var cents = 0
    @KeyValueIgnored var calls = 0
    var title: String { "\(calls)" }
    var URL: String { "\(calls)" }

    class func keyPathsForValuesAffectingTitle() -> Set<String> { ["name"] }
    class var keyPathsForValuesAffectingURL: Set<String> { ["cents"] }
  }

  @KeyValueObservable
  final class Deposit: Account {
    var rate = 1

    override class func keyPathsForValuesAffectingTitle() -> Set<String> { ["rate"] }
    class func automaticallyNotifiesObserversOfCents() -> Bool { false }
  }

  class Loan: Account {
    override class func keyPathsForValuesAffectingTitle() -> Set<String> { ["cents"] }
  }

  private func received(_ account: Account, _ key: String, _ change: () -> Void) throws -> Int {
    var count = 0
    let observation = try account.onChange(key) { count += 1 }
    change()
    observation.invalidate()
    return count
  }

  @Test("P21: class functions with a key in their name are asked for that key")
  func perKey() throws {
    let account = Account()
    #expect(try received(account, "title") { account.name = "Bob" } == 1)
    #expect(try received(account, "title") { account.cents = 1 } == 0)
    #expect(try received(account, "URL") { account.cents = 2 } == 1)
  }

  @Test("P21: a subclass overrides them, annotated or not, and both sets count")
  func perKeyOverridden() throws {
    let deposit = Deposit()
    #expect(try received(deposit, "title") { deposit.name = "Bob" } == 1)
    #expect(try received(deposit, "title") { deposit.rate = 2 } == 1)
    let loan = Loan()
    #expect(try received(loan, "title") { loan.name = "Bob" } == 1)
    #expect(try received(loan, "title") { loan.cents = 1 } == 1)
  }

  @Test("P20: automaticallyNotifiesObserversOf… silences one key, an inherited one too")
  func perKeySilence() throws {
    let deposit = Deposit()
    #expect(try received(deposit, "cents") { deposit.cents = 1 } == 0)
    #expect(try received(deposit, "cents") { deposit.withMutation(of: \.cents) {} } == 1)
    #expect(try received(deposit, "name") { deposit.name = "Bob" } == 1)
    let account = Account()
    #expect(try received(account, "cents") { account.cents = 1 } == 1)
  }
}
