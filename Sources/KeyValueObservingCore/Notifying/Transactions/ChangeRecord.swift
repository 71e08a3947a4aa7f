/// The value that a property had before its first change in a transaction.
///
/// It keeps the object and the value until the outermost transaction has ended (P54). It may be the box of that
/// value, which observers receive as the old one.
@usableFromInline
class ChangeRecord: AnyValueBox {
  @usableFromInline
  final let subject: AnyObject
  final let name: KeyName
  // Two halves of a word: a transaction may have a million records.
  /// How many transactions are around the one that it belongs to, and that one.
  @exclusivity(unchecked)
  final var depth: Int32 = 0
  /// Its hash in the table of the transaction.
  @exclusivity(unchecked)
  final var hash: UInt32 = 0
  /// Its position in the order of the transaction's steps: observers that are registered after it start from a newer
  /// value.
  @exclusivity(unchecked)
  final var step = 0
  /// The step of a record whose property has not changed yet.
  static let stepOfUnchanged = Int.max
  /// The record of the same property in a transaction around this one, which keeps it as well.
  @exclusivity(unchecked)
  final var outer: Unmanaged<ChangeRecord>?
  /// The depth of the transaction to which `outer` belongs; 0 if there is none.
  final var outerDepth: Int { outer.map { Int($0._withUnsafeGuaranteedRef { $0.depth }) } ?? 0 }
  /// The next record in the table of the transaction.
  @exclusivity(unchecked)
  final var next: Unmanaged<ChangeRecord>?

  @usableFromInline
  init(of name: KeyName, in subject: AnyObject) {
    self.subject = subject
    self.name = name.kept()
  }

  deinit { name.deallocate() }

  /// Records the value as a whole, if only edits of it were recorded, before it changes in another way.
  func makeWhole() {}

  /// Whether the property's setter puts the value back, which asks the transaction first.
  var isRestoredBySetter: Bool { false }

  /// Puts the value back, and takes the one that it replaces in its place.
  ///
  /// - `keep`: Is called with a value that was replaced and the record cannot take, and with one that the record gives
  ///   away to a property which may be weak.
  ///
  /// Returns false if the property cannot be set.
  func restore(keeping keep: (AnyValueBox) -> Void) -> Bool { false }

  /// Runs `body`, and notifies the registrar of the module `Observation`, unless a setter does so in it.
  final func notifyingTracker(_ body: () -> Bool) -> Bool {
    guard !isRestoredBySetter, let subject = observableObject(subject),
      PropertyTable.of(type(of: subject)).tracker != nil,
      let property = subject.keyValueProperty(named: name)
    else { return body() }
    subject.notifyTracking(.willSet, of: property)
    defer { subject.notifyTracking(.didSet, of: property) }
    return body()
  }

  /// Gives its step to the record around it, if that has none.
  final func passOnStep() {
    outer?._withUnsafeGuaranteedRef { if $0.step == Self.stepOfUnchanged { $0.step = step } }
  }

  final var key: RecordKey { RecordKey(name, of: subject) }
}

/// An object that records its own properties, because one may be missing.
protocol ChangeRecording {
  /// Records the present value of a key.
  func record(of key: String) -> ChangeRecord
}

/// An object with entries that a history records, also where one is missing.
protocol EntryRecording: ChangeRecording, KeyValueObservable {
  /// The keys of the entries that are there.
  var entryKeys: [String] { get }
  /// Whether there is an entry, which may be nil.
  func hasEntry(_ key: String) -> Bool
  /// Records a value that an entry has had; nil if it was missing.
  func record(of key: String, having value: AnyValueBox?) -> ChangeRecord
}

/// Stands for the value of an entry that is missing.
final class MissingEntryBox: AnyValueBox {}

/// The record of a property whose setter stores by exchanging values.
@usableFromInline
final class StorageRecord<Value>: ChangeRecord {
  @exclusivity(unchecked)
  @usableFromInline
  var value: Value
  @usableFromInline
  let exchange: (AnyObject, Value) -> Value

  // Made where the type of the value is known (row: transaction of one set).
  @inlinable
  init(
    of name: KeyName, in subject: AnyObject, _ value: consuming Value,
    exchange: @escaping (AnyObject, Value) -> Value
  ) {
    self.value = value
    self.exchange = exchange
    super.init(of: name, in: subject)
  }

  /// Makes it the box of the value, which it keeps from now on.
  @inlinable
  func box() -> AnyValueBox {
    address = withUnsafeMutablePointer(to: &value) { UnsafeRawPointer($0) }
    return self
  }

  override func restore(keeping keep: (AnyValueBox) -> Void) -> Bool {
    let replaced = exchange(subject, value)
    if address == nil { value = replaced } else { keep(ValueBox(replaced)) }
    return true
  }

  @usableFromInline
  override var holdsNoObject: Bool { KeyValueObservingCore.holdsNoObject(value) }

  override var anyValue: Any { value }

  override func boxOfSameType(_ value: Any) -> AnyValueBox? {
    (value as? Value).map { ValueBox($0) }
  }
}

/// The record of a property that is set by its setter.
@usableFromInline
final class PropertyRecord: ChangeRecord {
  @exclusivity(unchecked)
  private var value: AnyValueBox
  private let property: KeyValueProperty

  @usableFromInline
  init(of property: KeyValueProperty, in subject: AnyObject, _ value: AnyValueBox) {
    self.value = value
    self.property = property
    super.init(of: property.name, in: subject)
  }

  override var isRestoredBySetter: Bool { true }

  override func restore(keeping keep: (AnyValueBox) -> Void) -> Bool {
    // A weak property gets it back, which does not keep it.
    keep(value)
    let present = property.box(of: subject)
    defer { value = present }
    return withAddress(in: value) { address in
      address.map { property.restore(from: $0, in: subject) } ?? false
    }
  }
}

/// The record of a key that cannot be set.
final class UnrestorableRecord: ChangeRecord {}

/// Names a property of an object, among those that a transaction has changed.
struct RecordKey: Hashable {
  let object: ObjectIdentifier
  let name: KeyName

  init(_ name: KeyName, of object: AnyObject) {
    self.object = ObjectIdentifier(object)
    self.name = name
  }

  /// Names a property of all objects of a class.
  init(_ name: KeyName, ofInstancesOf type: Any.Type) {
    object = ObjectIdentifier(type)
    self.name = name
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(UInt(bitPattern: object))
    hasher.combine(name.textHash)
  }
}
