import KeyValueObservingFoundation

extension Sentence {
  /// What is thrown.
  static let errors = [
    Sentence("undefinedKey", "Author has no key 'nmae'. Did you mean 'name'?") {
      _ = try Author().value(forKey: "nmae")
    },
    Sentence(
      "undefinedKey, nothing near",
      """
      Author has no key 'publisher'. Its keys are the properties in the bodies of @KeyValueObservable \
      classes that are not ignored.
      """
    ) { _ = try Author().value(forKey: "publisher") },
    Sentence(
      "undefinedKey, among keys that are data",
      """
      Meter has no key 'reading'. Its keys are those for which its keyValueProperty(forKey:) returns a \
      property.
      """
    ) { _ = try Meter().value(forKey: "reading") },
    Sentence(
      "undefinedKey, near one that is data", "Meter has no key 'name'. Did you mean 'names'?"
    ) { _ = try Meter().value(forKey: "name") },
    Sentence(
      "notObservable",
      """
      The key path 'first.name.length' cannot run through 'name': values of type String have no keys. \
      Use a typed key path, or end the path at 'name'.
      """
    ) { _ = try Shelf().observe("first.name.length") { _, _ in } },
    Sentence(
      "nilForNonOptional",
      """
      Author.age cannot be nil: its type is Int8. Give it a value, or say in setNilValueForKey(_:) \
      what stands for nil.
      """
    ) { try Author().setValue(nil, forKey: "age") },
    Sentence(
      "typeMismatch",
      """
      Author.age cannot hold "forty": its type is Int8, not String. Convert it first: nothing is \
      converted that would lose something.
      """
    ) { try Author().setValue("forty", forKey: "age") },
    Sentence(
      "typeMismatch, of a proxy",
      """
      Shelf.numbers cannot hold what this proxy edits: its type is [Int8], not Set<AnyHashable>. \
      Take mutableArrayValue(forKey:) for an array, mutableSetValue(forKey:) for a set, and \
      setValue(_:forKey:) for all else.
      """
    ) { _ = try Shelf().mutableSetValue(forKey: "numbers") },
    Sentence(
      "invalidValue", "Meter.level cannot be set to 11: it takes numbers from 0 to 10."
    ) { try Meter().setValue(11, forKey: "level") },
    Sentence(
      "readOnly",
      "Author.id is read-only. Make its setter accessible, or set it in the class."
    ) { try Author().setValue(2, forKey: "id") },
    Sentence(
      "writeOnly",
      """
      Meter.pin is write-only: it can be set, and neither read nor observed. Read or observe another \
      key of the object.
      """
    ) { _ = try Meter().value(forKey: "pin") },
    Sentence(
      "nilLink",
      """
      The key path 'first.name' leads nowhere: 'first' is nil, so the value would be lost. Set \
      'first' first.
      """
    ) { try Shelf().setValue("Bea", forKeyPath: "first.name") },
  ]

  /// What is thrown for a malformed key path.
  static let keyPaths = [
    Sentence("emptyKeyPath", "The key path '' is invalid: it is empty; name a key.") {
      _ = try Author().value(forKeyPath: "")
    },
    Sentence(
      "emptyComponent",
      """
      The key path 'editor..name' is invalid: it has an empty component; put a key on both sides of \
      each dot.
      """
    ) { _ = try Author().value(forKeyPath: "editor..name") },
    Sentence(
      "nothingToObserve, no key",
      "The key path 'self' is invalid: an object itself does not change; name one of its keys."
    ) { _ = try Author().observe("self") { _, _ in } },
    Sentence(
      "nothingToSet",
      "The key path 'self' is invalid: an object itself cannot be set; name one of its keys."
    ) { try Author().setValue(1, forKeyPath: "self") },
    Sentence(
      "nothingToEdit",
      "The key path 'self' is invalid: an object itself is no collection; name one of its keys."
    ) { _ = try Shelf().mutableArrayValue(forKeyPath: "self") },
    Sentence(
      "notAnObject",
      """
      The key path 'books.tags' is invalid: a proxy stands for the property of one object, and \
      'books' is of type [Author]; ask the object with the last key for it.
      """
    ) { _ = try Shelf().mutableArrayValue(forKeyPath: "books.tags") },
    Sentence(
      "tooDeep",
      """
      The key path '\(deepKeyPath)' is invalid: it runs through collections that lie in one another, \
      more than 64 of them; read the rest from what a shorter one leads to.
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
      The key path 'books.@summ.age' is invalid: there is no collection operator '@summ' (did you \
      mean '@sum'?).
      """
    ) { _ = try Shelf().value(forKeyPath: "books.@summ.age") },
    Sentence(
      "unknownOperator, nothing near",
      """
      The key path 'books.@firstObject' is invalid: there is no collection operator '@firstObject'; \
      there are @count, @sum, @avg, @min, @max, @unionOfObjects, @distinctUnionOfObjects, \
      @unionOfArrays, @distinctUnionOfArrays, @distinctUnionOfSets.
      """
    ) { _ = try Shelf().value(forKeyPath: "books.@firstObject") },
    Sentence(
      "missingOperand",
      """
      The key path 'books.@sum' is invalid: '@sum' must be told what to take of each member; write a \
      key path behind it, or 'self' for the members themselves.
      """
    ) { _ = try Shelf().value(forKeyPath: "books.@sum") },
    Sentence(
      "unsettableOperator",
      """
      The key path 'books.@count' is invalid: what '@count' computes cannot be set; set what it is \
      computed from.
      """
    ) { try Shelf().setValue(1, forKeyPath: "books.@count") },
    Sentence(
      "operatorInProxy",
      """
      The key path 'books.@unionOfObjects.name' is invalid: what '@unionOfObjects' computes cannot be \
      edited; end the path at a collection.
      """
    ) { _ = try Shelf().mutableArrayValue(forKeyPath: "books.@unionOfObjects.name") },
    Sentence(
      "notACollection",
      """
      The key path 'name.@count' is invalid: '@count' takes a collection, and 'name' is of type \
      String; put it behind a collection.
      """
    ) { _ = try Author().value(forKeyPath: "name.@count") },
    Sentence(
      "invalidOperand",
      """
      The key path 'books.@sum.name' cannot be evaluated: '@sum' takes numbers, and "Ada" is of type \
      String; name a key whose values are numbers.
      """
    ) {
      let shelf = Shelf()
      shelf.books = [Author()]
      _ = try shelf.value(forKeyPath: "books.@sum.name")
    },
    Sentence(
      "incomparable",
      """
      The key path 'anything.@max.self' cannot be evaluated: '@max' cannot compare "two" of type \
      String with 1 of type Int; name a key whose values are of one kind.
      """
    ) {
      let shelf = Shelf()
      shelf.anything = [1, "two"] as [Any]
      _ = try shelf.value(forKeyPath: "anything.@max.self")
    },
    Sentence(
      "inexactSum",
      """
      The key path 'anything.@sum.self' cannot be evaluated: no Int can hold the sum \
      9223372036854775808; use '@avg', or add up what the key path reads.
      """
    ) {
      let shelf = Shelf()
      shelf.anything = [Int.max, 1]
      _ = try shelf.value(forKeyPath: "anything.@sum.self")
    },
  ]

  private static let deepKeyPath = Array(repeating: "anything", count: 70).joined(separator: ".")
}
