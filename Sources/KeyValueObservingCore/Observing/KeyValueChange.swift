/// How a property changed.
public enum KeyValueChangeKind: UInt, Sendable {
  /// It was set, mutated in place, or computed anew.
  case setting = 1
  /// Elements were inserted into its collection.
  case insertion
  /// Elements were removed from its collection.
  case removal
  /// Elements of its collection were replaced.
  case replacement
}

/// Where on the key path a change came from (after `KeyValueObserver` of CwlUtils).
public enum KeyValueChangeReason: Sendable {
  /// The last key's value changed on the object at the end of the path.
  case valueChanged
  /// A link before the last key changed, so that the path leads to another object.
  case pathChanged
  /// The observed object is gone. Nothing is heard after it.
  case sourceDeleted
}

/// One change of an observed value.
///
/// Values that were not asked for are absent. A value that was asked for and is nil is present and
/// nil: `newValue == .some(nil)` for an optional property (P2). A change is a snapshot, later
/// changes do not show in it.
public struct KeyValueChange<Value> {
  /// How the value changed.
  @inlinable
  public var kind: KeyValueChangeKind {
    get { traits.kind }
    set { traits.kind = newValue }
  }
  // Spelled out, because a `Value?` would first be set to nil, which takes a call where the type of
  // the value is not known.
  /// The value after the change, if ``KeyValueObservation/Options/new`` was asked for.
  ///
  /// A prior has none.
  public var newValue: Optional<Value>
  /// The value before the change, if ``KeyValueObservation/Options/old`` was asked for.
  ///
  /// The initial change has none, nor has a change that a death makes (P27).
  public var oldValue: Optional<Value>
  /// The places of the elements that changed, for every kind but ``KeyValueChangeKind/setting``.
  @inlinable
  public var indexes: RangeSet<Int>? {
    get { edit?.indexes }
    set { edit = newValue.map { Edit(kind, at: $0) } }
  }
  /// Whether the change is about to be made.
  @inlinable
  public var isPrior: Bool {
    get { traits.isPrior }
    set { traits.isPrior = newValue }
  }
  /// Where on the key path the change came from.
  @inlinable
  public var reason: KeyValueChangeReason {
    get { traits.reason }
    set { traits.reason = newValue }
  }

  // A `RangeSet` stored here would cost every delivery: its layout is known at run time only, and
  // with it that of the change.
  @usableFromInline
  var edit: Edit?
  @usableFromInline
  var traits: ChangeTraits

  /// Creates a change, for tests of code that takes one.
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
    self.newValue = newValue
    self.oldValue = oldValue
    edit = indexes.map { Edit(kind, at: $0) }
  }

  /// Makes the change of a delivery, with what it does to the elements of a collection, if that is
  /// all it does.
  @inlinable
  init(
    settingTo newValue: Value?, from oldValue: Value?, isPrior: Bool = false,
    reason: KeyValueChangeReason = .valueChanged, edit: Unmanaged<Edit>? = nil
  ) {
    self.newValue = newValue
    self.oldValue = oldValue
    self.edit = edit?._withUnsafeGuaranteedRef { $0.reference }
    let kind = edit?._withUnsafeGuaranteedRef { $0.kind } ?? .setting
    traits = ChangeTraits(kind, isPrior: isPrior, reason)
  }
}

extension KeyValueChange: Sendable where Value: Sendable {}

extension KeyValueChange: Equatable where Value: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.kind == rhs.kind && lhs.newValue == rhs.newValue && lhs.oldValue == rhs.oldValue
      && lhs.indexes == rhs.indexes && lhs.isPrior == rhs.isPrior
      && lhs.reason == rhs.reason
  }
}
