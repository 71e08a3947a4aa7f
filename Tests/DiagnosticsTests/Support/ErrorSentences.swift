import KeyValueObservingFoundation

extension Sentence {
  /// The errors.
  static let errors = [
    Sentence("undefinedKey", "Author has no key 'nmae'. Did you mean 'name'?") {
      _ = try Author().value(forKey: "nmae")
    },
    Sentence(
      "undefinedKey, nothing near",
      """
      Author has no key 'publisher'. Its keys are 'name', 'age', 'pages', 'editor', 'agent', \
      'guest', 'friend', 'id' and 2 more.
      """
    ) { _ = try Author().value(forKey: "publisher") },
    Sentence(
      "undefinedKey, among dynamic keys",
      """
      Meter has no key 'reading'. Its keys are those for which keyValueProperty(forKey:) returns a \
      property.
      """
    ) { _ = try Meter().value(forKey: "reading") },
    Sentence(
      "undefinedKey, near a dynamic one", "Meter has no key 'name'. Did you mean 'names'?"
    ) { _ = try Meter().value(forKey: "name") },
    Sentence(
      "notObservable",
      """
      'first.name.length': 'name' holds values of type String, which have no keys. Use a typed key \
      path, or end the key path at 'name'.
      """
    ) { _ = try Shelf().observe("first.name.length") { _, _ in } },
    Sentence(
      "nilForNonOptional",
      """
      Author.age: the type Int8 has no nil. Pass a value, or override setNilValueForKey(_:).
      """
    ) { try Author().setValue(nil, forKey: "age") },
    Sentence(
      "typeMismatch",
      """
      Author.age: "forty" of type String cannot be converted to Int8 without loss. Pass a value of \
      type Int8.
      """
    ) { try Author().setValue("forty", forKey: "age") },
    Sentence(
      "typeMismatch, of a proxy",
      """
      Shelf.numbers: a proxy for Set<AnyHashable> cannot mutate [Int8]. Use \
      mutableArrayValue(forKey:) for an array, mutableSetValue(forKey:) for a set, and \
      setValue(_:forKey:) for other values.
      """
    ) { _ = try Shelf().mutableSetValue(forKey: "numbers") },
    Sentence("outOfRange", "Meter.level: 11 is out of range. Pass a number from 0 to 10.") {
      try Meter().setValue(11, forKey: "level")
    },
    Sentence(
      "typeMismatch, of another type system",
      "Meter.child: 1 is not of the type GtkWidget. Pass a value of that type."
    ) {
      throw KeyValueCodingError.invalidValue(
        type: Meter.self, key: "child", value: "1", reason: .typeMismatch(expected: "GtkWidget"))
    },
    Sentence(
      "nullCharacter",
      """
      Meter.unit: the text contains a null character, at which a string of C ends. Remove the \
      character.
      """
    ) {
      throw KeyValueCodingError.invalidValue(
        type: Meter.self, key: "unit", value: "m\0", reason: .nullCharacter)
    },
    Sentence("other", "Meter.pin: 7 is not accepted, because a pin has four digits.") {
      throw KeyValueCodingError.invalidValue(
        type: Meter.self, key: "pin", value: "7", reason: "a pin has \("four") digits")
    },
    Sentence(
      "readOnly",
      """
      Author.id: the property has no setter that can be called by key. Declare it with `var` and \
      an accessible setter, or set it inside the class.
      """
    ) { try Author().setValue(2, forKey: "id") },
    Sentence(
      "readOnly, computed",
      """
      Author.signature: the property has no setter that can be called by key. Give it a setter, or \
      set the properties from which it is computed.
      """
    ) { try Author().setValue("a", forKey: "signature") },
    Sentence(
      "readOnly, member",
      """
      Shelf.books.name: the key path runs through a collection or a dictionary, whose members \
      cannot be bound. Bind the property that holds it, or a computed property with a setter for \
      the value.
      """
    ) { _ = try Shelf().bind("books.name", to: Author(), "name") },
    Sentence(
      "writeOnly",
      """
      Meter.pin: the property can be set, but neither read nor observed. Read or observe another \
      key of the object.
      """
    ) { _ = try Meter().value(forKey: "pin") },
    Sentence(
      "nilLink",
      """
      'first.name': 'first' holds nil, so there is no object whose value could be set. Replace nil \
      with an object first.
      """
    ) { try Shelf().setValue("Bea", forKeyPath: "first.name") },
    Sentence(
      "conflict",
      """
      KeyValueHistory: a collection was changed without being recorded, so its edits cannot be \
      taken back. Restore the collection, or call removeAll().
      """
    ) {
      let shelf = Shelf()
      let history = KeyValueHistory(of: shelf)
      shelf.mutableArrayValue(for: \.numbers).append(1)
      history.withoutRecording { shelf.numbers = [] }
      try history.undo()
    },
    Sentence(
      "recording",
      """
      KeyValueHistory: undo() and redo() cannot run in a transaction, or in a handler of a recorded \
      change. Call them when it has ended.
      """
    ) {
      let history = KeyValueHistory(of: Shelf())
      try withKeyValueTransaction { try history.undo() }
    },
  ]

  /// The errors for malformed key paths.
  static let keyPaths = [
    Sentence("emptyKeyPath", "'': the key path is empty. Name a key.") {
      _ = try Author().value(forKeyPath: "")
    },
    Sentence(
      "emptyComponent",
      """
      'editor..name': a component of the key path is empty. Put a key on both sides of each dot.
      """
    ) { _ = try Author().value(forKeyPath: "editor..name") },
    Sentence("noProperty", "'self': an object itself is not a property. Name one of its keys.") {
      _ = try Author().observe("self") { _, _ in }
    },
    Sentence(
      "noProperty, to set", "'self': an object itself is not a property. Name one of its keys."
    ) { try Author().setValue(1, forKeyPath: "self") },
    Sentence(
      "noProperty, of a proxy", "'self': an object itself is not a property. Name one of its keys."
    ) { _ = try Shelf().mutableArrayValue(forKeyPath: "self") },
    Sentence(
      "notMadeOfKeys",
      """
      'KeyPath<Shelf, Int?>': the key path does not consist of keys: it runs through a structure, a \
      subscript, or an ignored property. Declare a computed property with a setter for the value, \
      and bind that.
      """
    ) { _ = try Shelf().bind(\.first?.name.count, to: Shelf(), \.first?.name.count) },
    Sentence(
      "notAnObject",
      """
      'books.tags': 'books' holds [Author], and a proxy belongs to the property of one object. \
      Request the proxy from that object, with the last key.
      """
    ) { _ = try Shelf().mutableArrayValue(forKeyPath: "books.tags") },
    Sentence(
      "tooDeep",
      """
      '\(deepKeyPath)': the key path runs through more than 64 nested collections. Evaluate a \
      shorter key path, and the rest of it on the result.
      """
    ) {
      let shelf = Shelf()
      shelf.anything = [shelf]
      defer { shelf.anything = nil }
      _ = try shelf.value(forKeyPath: deepKeyPath)
    },
    Sentence(
      "unknownOperator",
      """
      'books.@summ.age': there is no collection operator '@summ'. Did you mean '@sum'?
      """
    ) { _ = try Shelf().value(forKeyPath: "books.@summ.age") },
    Sentence(
      "unknownOperator, nothing near",
      """
      'books.@firstObject': there is no collection operator '@firstObject'. The operators are \
      '@count', '@sum', '@avg', '@min', '@max', '@unionOfObjects', '@distinctUnionOfObjects', \
      '@unionOfArrays', '@distinctUnionOfArrays' and '@distinctUnionOfSets'.
      """
    ) { _ = try Shelf().value(forKeyPath: "books.@firstObject") },
    Sentence(
      "missingOperand",
      """
      'books.@sum': '@sum' needs a key path after it. Append the key path of its operands, or \
      'self' for the elements themselves.
      """
    ) { _ = try Shelf().value(forKeyPath: "books.@sum") },
    Sentence(
      "result",
      """
      'books.@count': the result of '@count' cannot be set or mutated. Set or mutate the \
      collection from which it is computed.
      """
    ) { try Shelf().setValue(1, forKeyPath: "books.@count") },
    Sentence(
      "result, of a proxy",
      """
      'books.@unionOfObjects.name': the result of '@unionOfObjects' cannot be set or mutated. Set \
      or mutate the collection from which it is computed.
      """
    ) { _ = try Shelf().mutableArrayValue(forKeyPath: "books.@unionOfObjects.name") },
    Sentence(
      "notACollection",
      """
      'name.@count': '@count' takes a collection, and 'name' holds String. Put the operator after \
      a collection.
      """
    ) { _ = try Author().value(forKeyPath: "name.@count") },
    Sentence(
      "invalidOperand",
      """
      'books.@sum.name': '@sum' takes numbers, and "Ada" is of type String. Name a key whose \
      values are numbers.
      """
    ) {
      let shelf = Shelf()
      shelf.books = [Author()]
      _ = try shelf.value(forKeyPath: "books.@sum.name")
    },
    Sentence(
      "invalidOperand, that does not compare",
      """
      'books.@max.self': '@max' takes comparable values, and DiagnosticsTests.Author is of type \
      Author. Name a key whose values are comparable values.
      """
    ) {
      let shelf = Shelf()
      shelf.books = [Author()]
      _ = try shelf.value(forKeyPath: "books.@max.self")
    },
    Sentence(
      "incomparable",
      """
      'anything.@max.self': '@max' cannot compare "two" of type String with 1 of type Int. Name a \
      key whose values are of one kind.
      """
    ) {
      let shelf = Shelf()
      shelf.anything = [1, "two"] as [Any]
      _ = try shelf.value(forKeyPath: "anything.@max.self")
    },
    Sentence(
      "overflow",
      """
      'anything.@sum.self': the sum 9223372036854775808 does not fit in an Int. Use '@avg', or add \
      up the values that the key path without the operator reads.
      """
    ) {
      let shelf = Shelf()
      shelf.anything = [Int.max, 1]
      _ = try shelf.value(forKeyPath: "anything.@sum.self")
    },
  ]

  private static let deepKeyPath = Array(repeating: "anything", count: 70).joined(separator: ".")
}
