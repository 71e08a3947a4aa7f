internal import CKeyValueObserving

/// An object with dynamic keys, such as a JSON document.
///
/// Every key may be observed, even one that is missing, whose value is nil. Key paths lead from it
/// into other observable objects and back. It is as thread-safe as a Swift dictionary: use one
/// object on one thread at a time. Observing follows the rules of every other object. Keys are
/// compared as strings are, by canonical equivalence. About 250 bytes for each key that was ever
/// observed are kept until the object is deallocated.
public final class KeyValueDictionary: KeyValueObservable {
  /// The registrar of the object's observers.
  public let keyValueRegistrar = KeyValueRegistrar()
  // No user code runs during an access: a value that is replaced is released after it.
  @exclusivity(unchecked)
  private(set) var storage: [String: Any?] = [:]

  /// Creates an object from values.
  ///
  /// Nested dictionaries become objects of their own, also inside arrays.
  ///
  /// - Parameter values: The first values, by key.
  public init(_ values: [String: Any?] = [:]) {
    storage = values.mapValues { $0.flatMap(Self.adopt) }
  }

  /// The value of a key, nil if it is missing.
  ///
  /// Setting a value notifies the observers of the key, on this thread, before the assignment
  /// returns (P8). A dictionary that is set becomes a new object, so key paths that lead through it
  /// follow the new object. Setting nil keeps the key with a nil value; ``removeValue(forKey:)``
  /// removes it.
  ///
  /// - Parameter key: A key.
  public subscript(key: String) -> Any? {
    get {
      KeyValueRegistrar.isTracking ? trackedValue(of: key) : stored(key)
    }
    set {
      if isPlain(newValue) {
        store(consume newValue, forKey: key)
      } else {
        store(newValue.flatMap(Self.adopt), forKey: key)
      }
    }
  }

  // Taken out of their optionals, values are destroyed as an `Any`, and not by way of the metadata of the optional.
  @inline(__always)
  private func store(_ value: consuming Any?, forKey key: String) {
    if keyValueRegistrar.isObserved {
      if keyValueRegistrar.hasEntryRecorders { recordEntry(forKey: key) }
      storeObserved(value, forKey: key)
      if case let value? = consume value { extendLifetime(value) }
      return
    }
    let former = storage.updateValue(value, forKey: key)
    // Released after the access, since its end may set the key again.
    if case let former?? = consume former { extendLifetime(former) }
  }

  private func storeObserved(_ value: Any?, forKey key: String) {
    // Unmanaged, because what a closure captures is retained here (row: dictionary).
    let dictionary = Unmanaged.passUnretained(self)
    exchange(key, for: value) { value, former in
      // Passed on at once: from a variable, the value would be copied once more, as an optional.
      RuntimeLayout.initialize(
        former,
        to: dictionary._withUnsafeGuaranteedRef {
          $0.storage.updateValue(
            withUnsafePointer(to: value) { RuntimeLayout.copy(of: $0) }, forKey: key)
        })
    }
  }

  private func stored(_ key: String) -> Any? { storage[key] ?? nil }

  private func trackedValue(of key: String) -> Any? {
    KeyValueRegistrar.noteSubscript(
      of: key, at: \KeyValueDictionary[key], chained: \KeyValueDictionary?.?[key]
    ) { $0[key] }
    // Its name in memory is that of the observed key, if the key is observed.
    return keyValueRegistrar.value(of: DictionaryEntry.entry(for: key), in: self) { stored(key) }
  }

  @inline(__always)
  private func exchange(_ key: String, for newValue: Any?, _ exchange: ErasedExchange) {
    if kvo_has_transactions(), exchangeInTransaction(key, for: newValue, exchange) { return }
    let dictionary = Unmanaged.passUnretained(self)
    key.withKeyName {
      keyValueRegistrar.exchange(
        $0, of: self, for: newValue,
        read: { dictionary._withUnsafeGuaranteedRef { $0.stored(key) } }, exchange)
    }
  }

  // Out of line, since few are recorded (row: dictionary).
  @inline(never)
  private func recordEntry(forKey key: String) { recordEntry(DictionaryEntry.entry(for: key)) }

  /// Exchanges a value in the transaction of the thread, and returns whether there is one.
  @inline(never)
  private func exchangeInTransaction(
    _ key: String, for newValue: Any?, _ exchange: ErasedExchange
  ) -> Bool {
    guard let transaction = Transaction.current(of: self) else { return false }
    key.withKeyName {
      transaction.exchange($0, of: self, for: newValue, read: { stored(key) }, exchange)
    }
    return true
  }

  /// Puts a value back, or removes it where there was none, and returns the present one.
  fileprivate func restore(_ value: Any??, forKey key: String) -> Any?? {
    let present = storage[key]
    storage[key] = value
    return present
  }

  /// Removes a key.
  ///
  /// Its observers are notified that the value became nil, even if the key was missing (P9).
  ///
  /// - Parameter key: A key.
  public func removeValue(forKey key: String) {
    if keyValueRegistrar.hasEntryRecorders { recordEntry(forKey: key) }
    exchange(key, for: nil) { _, former in
      RuntimeLayout.initialize(former, to: storage.removeValue(forKey: key))
    }
  }

  /// The keys of the dictionary, in no particular order.
  ///
  /// Insertions and removals of keys cannot be observed. Each key can, whether it is present or
  /// not.
  public var keys: some Collection<String> { storage.keys }

  /// Returns no properties, because all keys are dynamic.
  public static func keyValueProperties() -> [KeyValueProperty] { [] }

  /// Whether objects may have keys that their class does not list: they do.
  public static var hasDynamicKeys: Bool { true }

  /// Returns the property of a key, whether the dictionary has a value for it or not.
  ///
  /// - Parameter key: A key.
  /// - Returns: The property of the key.
  public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    DictionaryEntry.entry(for: key)
  }

  static func adopt(_ value: Any) -> Any? {
    if isPlain(value) { return value }
    return switch flatten(value) {
    // An empty dictionary is cast to one with keys of any type.
    case let other as any KeyedCollection where !type(of: other).hasStringKeys: other
    case let dictionary as [String: Any?]: KeyValueDictionary(dictionary)
    case let array as [Any?]: array.map { $0.flatMap(adopt) }
    case let other: other
    }
  }

  /// Changes the value of a key in place, without notifying observers.
  func modify(_ key: String, _ body: (inout Any?) -> Void) {
    // Taken out meanwhile: a second reference would make a change of a collection copy it.
    var value = storage.updateValue(nil, forKey: key) ?? nil
    body(&value)
    storage.updateValue(value, forKey: key)
  }
}

extension KeyValueDictionary: EntryRecording {
  var entryKeys: [String] { Array(storage.keys) }

  func hasEntry(_ key: String) -> Bool { storage[key] != nil }

  func record(of key: String) -> ChangeRecord {
    DictionaryRecord(of: key, in: self, having: storage[key])
  }

  func record(of key: String, having value: AnyValueBox?) -> ChangeRecord {
    DictionaryRecord(of: key, in: self, having: value.map { flatten($0.anyValue) })
  }
}

/// The record of a value in a dictionary, which may be missing.
private final class DictionaryRecord: ChangeRecord {
  private let dictionary: KeyValueDictionary
  private let dictionaryKey: String
  private var value: Any??

  init(of key: String, in dictionary: KeyValueDictionary, having value: Any??) {
    self.dictionary = dictionary
    dictionaryKey = key
    self.value = value
    // An entry that is not kept for the next use ends with its name.
    let entry = DictionaryEntry.entry(for: key)
    super.init(of: entry.name, in: dictionary)
    extendLifetime(entry)
  }

  override func restore(keeping _: (AnyValueBox) -> Void) -> Bool {
    value = dictionary.restore(value, forKey: dictionaryKey)
    return true
  }
}

/// Whether a value is nil, or of one of the types that most values in documents have, which hold no object
/// or collection.
///
/// Casts would take longer than all the rest of a set, and a copy to ask for its type a part of that (row:
/// dictionary).
@inline(__always)
private func isPlain(_ value: borrowing Any?) -> Bool {
  guard let type = withUnsafePointer(to: value, { RuntimeLayout.typeOfValue(in: $0) }) else {
    return true
  }
  return type == Int.self || type == String.self || type == Double.self || type == Bool.self
}
