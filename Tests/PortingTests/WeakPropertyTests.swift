import KeyValueObserving
import Testing

@Suite("Porting weak properties")
struct WeakPropertyTests {
  // guide: weak
  @KeyValueObservable
  final class Person {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @KeyValueObservable
  final class Document {
    weak var editor: Person?
  }
  // end

  @Test("P27: a weak property notifies of its object's deallocation")
  func deallocation() throws {
    try expectPrints("weak") {
      // guide: weak
      let document = Document()
      var ada: Person? = Person("Ada")
      document.editor = ada
      let observation = document.onChange(of: \.editor?.name) { print($0 ?? "no editor") }
      ada = nil  // prints no editor
      observation.invalidate()
      // end
    }
  }
}
