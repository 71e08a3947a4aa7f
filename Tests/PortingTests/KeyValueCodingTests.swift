import KeyValueObserving
import Testing

@Suite("Porting key-value coding")
struct KeyValueCodingTests {
  // guide: coding
  @KeyValueObservable
  final class Item {
    var price: Int

    init(price: Int) { self.price = price }
  }

  @KeyValueObservable
  final class Order {
    var number = 1
    var items = [Item(price: 2), Item(price: 7)]
  }
  // end

  @Test("P42, P43: value(forKeyPath:) and setValue(_:forKey:) throw where Cocoa raises")
  func coding() throws {
    try expectPrints("coding") {
      // guide: coding
      let order = Order()
      let observation = order.onChange(of: \.number) { print("number", $0) }

      print(try order.value(forKeyPath: "items.@sum.price") as? Int ?? 0)  // prints 9
      try order.setValue(2, forKey: "number")  // prints number 2
      do {
        try order.setValue("three", forKey: "number")
      } catch {
        print("still", order.number)  // prints still 2
      }
      observation.invalidate()
      // end
    }
  }

  // guide: validation
  @KeyValueObservable
  final class Guest {
    var age = 0

    struct Unborn: Error {}

    func validateValue(_ value: Any?, forKey key: String) throws -> Any? {
      guard key == "age", let age = value as? Int else { return value }
      guard age >= 0 else { throw Unborn() }
      return min(age, 150)
    }
  }
  // end

  @Test("P42: validateAge becomes a case of validateValue(_:forKey:), which returns the value")
  func validation() throws {
    try expectPrints("validation") {
      // guide: validation
      let guest = Guest()
      try guest.setValidatedValue(200, forKey: "age")
      print(guest.age)  // prints 150
      // end
    }
    #expect(throws: Guest.Unborn.self) { try Guest().setValidatedValue(-1, forKey: "age") }
  }
}
