import KeyValueObserving
import Testing

@KeyValueObservable
private final class Line {
  var price: Double
  var amount = 1
  var name: String?
  var parts: [Line] = []
  weak var twin: Line?
  var total: Double { price * Double(amount) }
  init(_ price: Double) { self.price = price }
}

@KeyValueObservable
private final class Order {
  var lines: [Line] = []
  var tags: [String] = []
  var labels: [String: Int] = [:]
  var customer: Order?
  var anything: Any?
}

extension AllTests {
  @Suite("Paths through collections")
  struct OperatorPathTests {
    private let recorder = Recorder()
    private let order = Order()
    private let first = Line(1)
    private let second = Line(2)

    private func observe(
      _ keyPath: String, _ options: KeyValueObservation.Options = [.old, .new]
    ) throws -> KeyValueObservation {
      try order.observe(keyPath, options: options, changeHandler: recorder.receives("·"))
    }

    @Test("P29: a path that ends in a collection operator is set")
    func count() throws {
      let token = try observe("tags.@count", [.old, .new, .initial])
      order.mutableArrayValue(for: \.tags).append("a")
      order.tags.append("b")
      order.tags = []
      #expect(recorder.take() == ["· →0", "· 0→1", "· 1→2", "· 2→0"])
      token.invalidate()
    }

    @Test("P29: what stands behind @count has no effect on what is observed either")
    func countOfAnything() throws {
      let tokens = try ["lines.@count.prise", "customer.lines.@count.prise"].map {
        try observe($0, .new)
      }
      order.lines = [first]
      #expect(recorder.take() == ["· →1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P29: an operator is notified of membership and of each element's key")
    func sum() throws {
      let token = try observe("lines.@sum.price")
      order.lines = [first, second, first]
      first.price = 10
      order.mutableArrayValue(for: \.lines).remove(at: 0)
      order.lines.removeAll { $0 === first }
      first.price = 100
      second.price = 5
      order.lines.append(first)
      first.price = 0
      #expect(
        recorder.take() == [
          "· 0→4.0", "· 4.0→22.0", "· 22.0→12.0", "· 12.0→2.0", "· 2.0→5.0", "· 5.0→105.0",
          "· 105.0→5.0",
        ])
      token.invalidate()
      second.price = 6
      #expect(recorder.take() == [])
    }

    @Test("P29: key-value coding's mapping is observed, with nil for nil")
    func mapping() throws {
      order.lines = [first, second]
      let token = try observe("lines.name", .new)
      second.name = "b"
      order.lines.reverse()
      first.name = nil
      #expect(
        recorder.take() == [
          #"· →[nil, Optional("b")]"#, #"· →[Optional("b"), nil]"#, #"· →[Optional("b"), nil]"#,
        ])
      token.invalidate()
    }

    @Test("P29: a computed key of an element notifies, whatever its inputs are")
    func computed() throws {
      order.lines = [first, second]
      let token = try observe("lines.@max.total", .new)
      second.amount = 3
      first.price = 9
      #expect(recorder.take() == ["· →6.0", "· →9.0"])
      token.invalidate()
    }

    @Test("P26, P29: a link before the collection is a change of the path, the collection is not")
    func reasons() throws {
      let customer = Order()
      customer.lines = [first]
      let token = try observe("customer.lines.@sum.price", .new)
      order.customer = customer
      customer.lines = [first, second]
      second.price = 4
      order.customer = nil
      second.price = 5
      #expect(recorder.take() == ["· →1.0 path", "· →3.0", "· →5.0", "· →nil path"])
      token.invalidate()
    }

    @Test("P29: collections inside collections, and links inside elements")
    func nested() throws {
      first.parts = [second]
      order.lines = [first]
      let tokens = [
        try order.observe(
          "lines.@sum.parts.@sum.price", options: .new,
          changeHandler: recorder.receives("parts")),
        try order.observe(
          "lines.twin.price", options: .new, changeHandler: recorder.receives("twin")),
      ]
      second.price = 3
      #expect(recorder.take() == ["parts →3.0"])
      first.twin = second
      #expect(recorder.take() == ["twin →[Optional(3.0)]"])
      second.price = 4
      #expect(recorder.take() == ["parts →4.0", "twin →[Optional(4.0)]"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P29: an operator applies to the values that are read through a collection")
    func operatorOnMapping() throws {
      let tokens = try [
        "lines.price.@count", "lines.twin.@count", "lines.total.@sum.self",
        "lines.parts.price.@sum.@sum.self",
      ].map { try observe($0, .new) }
      first.parts = [Line(5), Line(6)]
      order.lines = [first, second]
      #expect(recorder.take() == ["· →2", "· →2", "· →3.0", "· →11.0"])
      first.price = 4
      #expect(recorder.take() == ["· →2", "· →6.0"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P27, P29: deallocation of an element's weak object notifies")
    func deallocation() throws {
      order.lines = [first]
      var twin: Line? = Line(7)
      first.twin = twin
      let token = try observe("lines.@sum.twin.price", .new)
      twin = nil
      #expect(recorder.take() == ["· →0"])
      withExtendedLifetime((token, twin)) {}
    }

    @Test("P29: a prior notification has the old result before an element changes")
    func prior() throws {
      order.lines = [first, second]
      let token = try observe("lines.@sum.price", [.old, .new, .prior])
      first.price = 2
      #expect(recorder.take() == ["· 3.0→ prior", "· 3.0→4.0"])
      token.invalidate()
    }

    @Test("P30, P29: an element that is in a collection twice notifies once")
    func twice() throws {
      order.lines = [first, first]
      let token = try observe("lines.@sum.price", .new)
      first.price = 3
      #expect(recorder.take() == ["· →6.0"])
      token.invalidate()
    }

    @Test("P29: elements may be existentials, which are more than a reference")
    func existentials() throws {
      let members: [any KeyValueObservable] = [first, second]
      order.anything = members
      #expect(try order.value(forKeyPath: "anything.@sum.price") as? Double == 3)
      order.anything = [first, second] as [AnyObject]
      #expect(try order.value(forKeyPath: "anything.@sum.price") as? Double == 3)
    }

    @Test("P29: dictionaries and values of any type are looked into")
    func others() throws {
      let tokens = [
        try order.observe("labels.a", options: .new, changeHandler: recorder.receives("label")),
        try order.observe(
          "labels.@count", options: .new, changeHandler: recorder.receives("count")),
        try order.observe("anything.price", options: .new, changeHandler: recorder.receives("any")),
      ]
      order.labels = ["a": 1, "b": 2]
      #expect(recorder.take() == ["label →1", "count →2"])
      order.anything = first
      first.price = 2
      order.anything = [first, second]
      second.price = 3
      order.anything = nil
      #expect(
        recorder.take() == [
          "any →1.0 path", "any →2.0", "any →[Optional(2.0), Optional(2.0)] path",
          "any →[Optional(2.0), Optional(3.0)]", "any →nil",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P6: a path through a collection that cannot work is refused",
      arguments: [
        "lines.prise", "lines.@sum.prise", "tags.@count.@nonsense", "tags.length", "@count",
        "customer.@count", "lines.@sum", "tags.@sum.self", "lines.parts.prise",
      ])
    func refused(keyPath: String) {
      order.tags = ["a"]
      #expect(throws: KeyValueCodingError.self) { try observe(keyPath) }
    }

    @Test("P6: a path through nil has no more operators than collections")
    func operatorsBehindNil() throws {
      let person = Person("Ann")
      for keyPath in ["boss.staff.age.@sum.self", "boss.staff.tags.@max.@count"] {
        try person.observe(keyPath) { _, _ in }.invalidate()
      }
      #expect(throws: KeyValueCodingError.self) {
        try person.observe("boss.staff.age.@sum.@sum.self") { _, _ in }
      }
    }

    @Test("P6: what only run time can show ends the path with one diagnostic")
    func atRunTime() throws {
      let diagnostics = Diagnostics()
      order.anything = [first]
      let token = try observe("anything.@sum.price", .new)
      order.anything = ["text"]
      #expect(recorder.take() == ["· →nil"])
      #expect(diagnostics.take().count == 1)
      order.anything = [second]
      #expect(recorder.take() == ["· →2.0"])
      token.invalidate()
    }

    @Test(
      "P6: an operator on a value that is no collection reports a diagnostic", arguments: [0, 1])
    func noCollection(place: Int) throws {
      let diagnostics = Diagnostics()
      let token = try observe("anything.@count", .new)
      order.anything = [first, "text"][place]
      #expect(recorder.take().count == 1)
      let type = ["Line", "String"][place]
      let sentences = diagnostics.take()
      #expect(sentences.count == 1)
      #expect(
        sentences.first?.contains("'@count' takes a collection, and 'anything' holds \(type)")
          == true)
      order.anything = [first]
      #expect(recorder.take() == ["· →1"])
      token.invalidate()
    }
  }
}
