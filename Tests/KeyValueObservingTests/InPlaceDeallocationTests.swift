import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Paragraph {
  var text: String
  init(_ text: String) { self.text = text }
}

@KeyValueObservable
private final class Document {
  struct Header { var paragraph: Paragraph? }

  var paragraphs: [Paragraph] = []
  var byName: [String: Paragraph] = [:]
  var header = Header()
  var pair: (Paragraph?, Int) = (nil, 0)
  weak var selection: Paragraph?
  var status: String {
    let count = paragraphs.count + byName.count + (header.paragraph == nil ? 0 : 1)
    return "\(count + (pair.0 == nil ? 0 : 1)), selected: \(selection?.text ?? "none")"
  }
}

extension AllTests {
  /// Notifications of objects that a mutation in place releases wait until it has ended.
  @Suite("Deallocations during mutations in place")
  struct InPlaceDeallocationTests {
    private let recorder = Recorder()

    @Test(
      "P27: an in-place mutation that releases the target of a weak link notifies when it has ended",
      arguments: Removal.allCases)
    fileprivate func removal(_ removal: Removal) {
      let document = removal.makeDocument()
      let tokens = [
        document.observe(\.status, options: .new, changeHandler: recorder.receives("status")),
        document.observe(\.selection, options: .new) { document, change in
          // May read whatever the mutation was about.
          recorder.write("selection \(change.newValue! == nil) \(document.paragraphs.count)")
        },
        document.observe(
          \.selection?.text, options: [.old, .new], changeHandler: recorder.receives("text")),
      ]
      removal.perform(document)
      let history = recorder.take()
      #expect(history.last { $0.hasPrefix("status") }?.hasSuffix("selected: none") == true)
      #expect(history.filter { $0 == "text words→nil path" }.count == 1)
      #expect(history.filter { $0.hasPrefix("selection true") }.count == 1)
      document.paragraphs = []
      #expect(recorder.take() == ["status →\(document.status)"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P27: old values chain where it releases the target of two weak links")
    func twoLinks() {
      let (document, other) = (Removal.removeAll.makeDocument(), Document())
      let title = Paragraph("title")
      other.selection = document.selection
      let tokens = [
        document.observe(\.selection) { [unowned other] _, _ in other.selection = title },
        other.observe(
          \.selection?.text, options: [.old, .new], changeHandler: recorder.receives("text")),
        document.observe(\.paragraphs) { _, _ in },
      ]
      document.paragraphs.removeAll()
      #expect(recorder.take() == ["text words→title path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: a mutation is delivered before the deallocations that it has caused")
    func mutationFirst() {
      let document = Removal.removeAll.makeDocument()
      let tokens = [
        document.observe(\.selection, options: .new, changeHandler: recorder.receives("selection")),
        document.observe(\.paragraphs, options: .new) { _, change in
          recorder.write("paragraphs \(change.newValue!.count)")
        },
      ]
      document.paragraphs.removeAll()
      #expect(recorder.take() == ["paragraphs 0", "selection →nil"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P33: the end of a source that an in-place mutation releases is reported when it has ended")
    func sourceDeleted() {
      let invoice = Invoice()
      let observers = invoice.items.map { item in
        KeyValueObserver(source: item, keyPath: \.price, options: []) { _, reason in
          recorder.write(reason == .sourceDeleted ? "gone \(invoice.items.count)" : "\(reason)")
        }
      }
      let token = invoice.observe(\.notes) { _, _ in }
      invoice.items.removeAll {
        $0.price = 2
        return true
      }
      #expect(
        recorder.take() == [
          "valueChanged", "valueChanged", "gone 0", "gone 0",
        ])
      withExtendedLifetime((observers, token)) {}
    }

    @Test(
      "P31: an observer that is cancelled before the mutation has ended receives no sourceDeleted")
    func cancelledMeanwhile() {
      let invoice = Invoice()
      let token = invoice.observe(\.notes) { _, _ in }
      var observer: KeyValueObserver?
      observer = KeyValueObserver(source: invoice.items[0], keyPath: \.price, options: []) {
        recorder.write("\($1)")
      }
      let second = KeyValueObserver(source: invoice.items[1], keyPath: \.price, options: []) {
        recorder.write("second \($1)")
        observer?.cancel()
      }
      func clear(_ items: inout [LineItem]) {
        items.removeAll()
        observer?.cancel()
      }
      clear(&invoice.items)
      #expect(recorder.take() == ["second sourceDeleted"])
      withExtendedLifetime((second, token)) {}
    }

    @Test("P31, P40: so does one that belongs to an actor")
    @MainActor func cancelledMeanwhileOnActor() {
      let invoice = Invoice()
      let token = invoice.observe(\.notes) { _, _ in }
      let observers = invoice.items.map {
        KeyValueObserver(source: $0, keyPath: \.price, options: []) {
          recorder.write("\($1)")
        }
      }
      func clear(_ items: inout [LineItem]) {
        items.removeAll()
        observers[0].cancel()
      }
      clear(&invoice.items)
      #expect(recorder.take() == ["sourceDeleted"])
      withExtendedLifetime((observers, token)) {}
    }

    @Test("P27: of several targets of a weak property that are released meanwhile, the last counts")
    func severalTargets() {
      let document = Document()
      document.paragraphs = [Paragraph("a"), Paragraph("b")]
      document.selection = document.paragraphs[0]
      let token = document.observe(\.selection, options: .new) { _, change in
        recorder.write("selection \(change.newValue!?.text ?? "nil")")
      }
      func clear(_ paragraphs: inout [Paragraph]) {
        paragraphs.removeFirst()
        document.selection = paragraphs[0]
        paragraphs.removeFirst()
      }
      clear(&document.paragraphs)
      #expect(recorder.take() == ["selection b", "selection nil"])
      token.invalidate()
    }
  }
}

/// A way to release what a weak property holds.
private enum Removal: CaseIterable {
  case assign, removeAll, `subscript`, dictionary, `struct`, tuple, scope, proxy

  func makeDocument() -> Document {
    let document = Document()
    let paragraph = Paragraph("words")
    document.selection = paragraph
    switch self {
    case .dictionary: document.byName["a"] = paragraph
    case .struct: document.header.paragraph = paragraph
    case .tuple: document.pair.0 = paragraph
    default: document.paragraphs = [paragraph]
    }
    return document
  }

  func perform(_ document: Document) {
    switch self {
    case .assign: document.paragraphs = []
    case .removeAll: document.paragraphs.removeAll { $0 === document.selection }
    case .subscript: document.paragraphs[0] = Paragraph("new")
    case .dictionary: document.byName["a"] = nil
    case .struct: document.header.paragraph = nil
    case .tuple: document.pair.0 = nil
    case .scope: document.withMutation(of: \.paragraphs) { document.paragraphs.removeAll() }
    case .proxy: document.mutableArrayValue(for: \.paragraphs).removeAll()
    }
  }
}
