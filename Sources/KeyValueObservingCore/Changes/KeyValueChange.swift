/// The kind of a change.
public enum KeyValueChangeKind: UInt, Sendable {
  /// The property was set, mutated in place, or computed again.
  case setting = 1
  /// Elements were inserted into the property's collection.
  case insertion
  /// Elements were removed from the property's collection.
  case removal
  /// Elements of the property's collection were replaced.
  case replacement
}

/// The position on the key path that a change came from (after `KeyValueObserver` of CwlUtils).
public enum KeyValueChangeReason: Sendable {
  /// The last key's value changed on the object at the end of the path.
  case valueChanged
  /// An intermediate object was replaced, so that the path leads to another object.
  case pathChanged
  /// The observed object was deallocated; this is the final notification.
  case sourceDeleted
}

/// One change of an observed value.
///
/// Values that were not requested are absent. A value that was requested and is nil is present and
/// nil: `newValue == .some(nil)` for an optional property (P2). A change is a snapshot, in which
/// later changes do not show.
public struct KeyValueChange<Value> {
  /// The kind of the change.
  @inlinable
  public var kind: KeyValueChangeKind {
    get { traits.kind }
    set { traits.kind = newValue }
  }
  /// The value after the change, if ``KeyValueObservation/Options/new`` was requested.
  ///
  /// A prior notification has none.
  @inlinable
  public var newValue: Value? {
    @inline(__always) get { storedNewValue }
    @inline(__always) _modify { yield &storedNewValue }
  }
  /// The value before the change, if ``KeyValueObservation/Options/old`` was requested.
  ///
  /// The initial change has none, nor has a change caused by deallocation (P27).
  @inlinable
  public var oldValue: Value? {
    @inline(__always) get { storedOldValue }
    @inline(__always) _modify { yield &storedOldValue }
  }
  /// The indexes of the elements that changed, for every kind but ``KeyValueChangeKind/setting``.
  @inlinable
  public var indexes: RangeSet<Int>? {
    get { edit?.indexes }
    set { edit = newValue.map { Edit(kind, at: $0) } }
  }
  /// Whether this is a prior notification.
  @inlinable
  public var isPrior: Bool {
    get { traits.isPrior }
    set { traits.isPrior = newValue }
  }
  /// The position on the key path that the change came from.
  @inlinable
  public var reason: KeyValueChangeReason {
    get { traits.reason }
    set { traits.reason = newValue }
  }

  // Spelled out, because a `Value?` would first be set to nil, which takes a call where the type of
  // the value is not known.
  @usableFromInline
  var storedNewValue: Optional<Value>
  @usableFromInline
  var storedOldValue: Optional<Value>
  // A `RangeSet` stored here would cost every delivery: its layout is known at run time only, and
  // with it that of the change.
  @usableFromInline
  var edit: Edit?
  @usableFromInline
  var traits: ChangeTraits

  /// Creates a change, for tests of code that receives one.
  ///
  /// - Parameters:
  ///   - kind: The kind of the change.
  ///   - newValue: The new value, if requested.
  ///   - oldValue: The old value, if requested.
  ///   - indexes: The indexes of the elements that were inserted, removed or replaced.
  ///   - isPrior: Whether this is a prior notification.
  ///   - reason: The reason for the change.
  @inlinable
  public init(
    kind: KeyValueChangeKind = .setting, newValue: Value? = nil, oldValue: Value? = nil,
    indexes: RangeSet<Int>? = nil, isPrior: Bool = false,
    reason: KeyValueChangeReason = .valueChanged
  ) {
    traits = ChangeTraits(kind, isPrior: isPrior, reason)
    storedNewValue = newValue
    storedOldValue = oldValue
    edit = indexes.map { Edit(kind, at: $0) }
  }

  /// Creates the change of a delivery, with its element mutation, if it consists of one.
  @inlinable
  init(
    settingTo newValue: Value?, from oldValue: Value?, isPrior: Bool = false,
    reason: KeyValueChangeReason = .valueChanged, edit: Unmanaged<Edit>? = nil
  ) {
    storedNewValue = newValue
    storedOldValue = oldValue
    self.edit = edit?._withUnsafeGuaranteedRef { $0.reference }
    let kind = edit?._withUnsafeGuaranteedRef { $0.kind } ?? .setting
    traits = ChangeTraits(kind, isPrior: isPrior, reason)
  }
}

extension KeyValueChange: Sendable where Value: Sendable {}

extension KeyValueChange: Equatable where Value: Equatable {
  /// Returns whether two changes are of the same kind and hold equal values.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kind == rhs.kind && lhs.newValue == rhs.newValue && lhs.oldValue == rhs.oldValue
      && lhs.indexes == rhs.indexes && lhs.isPrior == rhs.isPrior
      && lhs.reason == rhs.reason
  }
}
