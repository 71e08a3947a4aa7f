import KeyValueObserving
import Testing

@Suite("Porting KeyValueObserver(source:keyPath:)")
struct ReasonTests {
  @KeyValueObservable
  final class Person {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @KeyValueObservable
  final class Document {
    var author: Person?
  }

  // guide: reasons
  final class Inspector {
    private var observer: KeyValueObserver?

    func inspect(_ document: Document) {
      observer = KeyValueObserver(source: document, keyPath: \.author?.name) {
        change, reason in
        switch reason {
        case .valueChanged: print("is called", change.newValueOrNil ?? "nothing")
        case .pathChanged: print("is by", change.newValueOrNil ?? "no author")
        case .sourceDeleted: print("is gone")
        }
      }
    }
  }
  // end

  @Test("P3, P26, P33: KeyValueObserver(source:keyPath:) gives the same reasons")
  func reasons() throws {
    try expectPrints("reasons") {
      // guide: reasons
      let inspector = Inspector()
      var document = Document()
      inspector.inspect(document)  // prints is called nothing
      document.author = Person("Ada")  // prints is by Ada
      document.author?.name = "Ada Lovelace"  // prints is called Ada Lovelace
      document = Document()  // prints is gone
      // end
      Transcript.current?.keep(inspector)
    }
  }
}
