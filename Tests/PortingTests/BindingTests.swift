import KeyValueObserving
import Testing

@Suite("Porting Cocoa Bindings")
struct BindingTests {
  // guide: binding
  @KeyValueObservable
  final class Person {
    var name = "Ada"
    var celsius = 36.5
  }

  @KeyValueObservable
  final class Field {
    var text = ""
  }
  // end

  @Test("P63, P66, P68: a controller with value transformers becomes a group with converters")
  func controller() throws {
    try expectPrints("binding") {
      // guide: binding
      let (name, temperature) = (Field(), Field())
      let form = KeyValueBindingGroup<Person>()
      form.bind(\.name, to: name, \.text)
      form.bind(
        \.celsius, to: temperature, \.text,
        converting: KeyValueConverter(to: { "\($0)" }, from: { Double($0) }))

      let person = Person()
      form.source = person
      print(name.text, temperature.text)  // prints Ada 36.5
      temperature.text = "37"
      print(person.celsius)  // prints 37.0
      // end
    }
  }
}
