/// The value that a property had before its first change in a transaction.
///
/// It keeps the object and the value until the outermost transaction has ended (P54).
@usableFromInline
class ChangeRecord {
  @usableFromInline
  final let subject: AnyObject
  final let name: KeyName
  /// How many transactions are around the one that it belongs to, and that one.
  final var depth = 0
  /// Its position in the order of the transaction's steps.
  final var step = 0
  /// The record of the same property in a transaction around this one.
  final var outer: ChangeRecord?

  @usableFromInline
  init(of name: KeyName, in subject: AnyObject) {
    self.subject = subject
    self.name = name.kept()
  }

  deinit { name.deallocate() }

  /// Puts the value back, and keeps the one that it replaces.
  ///
  /// Returns false if the property cannot be set.
  func restore() -> Bool { false }

  final var key: RecordKey { RecordKey(object: ObjectIdentifier(subject), name: name) }
}

/// The record of a property whose setter stores by exchanging values.
@usableFromInline
final class StorageRecord<Value>: ChangeRecord {
  private var value: Value
  private let exchange: (AnyObject, Value) -> Value

  @usableFromInline
  init(
    of name: KeyName, in subject: AnyObject, _ value: consuming Value,
    exchange: @escaping (AnyObject, Value) -> Value
  ) {
    self.value = value
    self.exchange = exchange
    super.init(of: name, in: subject)
  }

  override func restore() -> Bool {
    value = exchange(subject, value)
    return true
  }
}

/// The record of a property that is set by its setter.
@usableFromInline
final class PropertyRecord: ChangeRecord {
  private var value: AnyValueBox
  private let property: KeyValueProperty

  @usableFromInline
  init(of property: KeyValueProperty, in subject: AnyObject, _ value: AnyValueBox) {
    self.value = value
    self.property = property
    super.init(of: property.name, in: subject)
  }

  override func restore() -> Bool {
    let present = property.box(of: subject)
    var isRestored = false
    value.withAddress { isRestored = property.restore(from: $0, in: subject) }
    value = present
    return isRestored
  }
}

/// The record of a key that cannot be set.
final class UnrestorableRecord: ChangeRecord {}

/// Names a property of an object, among those that a transaction has changed.
struct RecordKey: Hashable {
  let object: ObjectIdentifier
  let name: KeyName

  func hash(into hasher: inout Hasher) {
    // Few keys of one object have names of one length.
    hasher.combine(UInt(bitPattern: object) ^ UInt(name.count))
  }
}
