/// The members of a collection that a key path runs through, each without optional layers.
struct Members {
  let kind: Kind
  let values: [Any?]

  enum Kind {
    case array
    /// Holds no two equal values, in an order that means nothing. One that a path makes holds no nil.
    case set
  }

  /// The members of a value that is a collection.
  init?(_ value: Any) {
    if let members = value as? Members {
      self = members
    } else if let collection = value as? any MemberCollection {
      self = collection.members
    } else {
      return nil
    }
  }

  /// The members of a collection that is made of values.
  init(_ values: [Any?], as kind: Kind) {
    self.kind = kind
    self.values = kind == .set ? DistinctValues(values).values : values
  }

  fileprivate init(of collection: some Collection, _ kind: Kind) {
    self.kind = kind
    values = collection.flattened
  }

  /// How many members a value has, entries of dictionaries included.
  static func count(of value: Any) -> Int? {
    switch value {
    case let members as Members: members.values.count
    case let collection as any MemberCollection: collection.count
    case let collection as any KeyedCollection: collection.count
    default: nil
    }
  }

  // MARK: Leaving a path

  /// `value`, as an array or a set where it was made by a key path.
  static func toStandardLibrary(_ value: Any) -> Any {
    (value as? Members)?.collection ?? value
  }

  /// An array, or a set if its values can be hashed: no set could hold them otherwise.
  var collection: Any {
    let values = values.map { $0.map(Members.toStandardLibrary) }
    if kind == .set, let hashable = Members.hashable(values) { return Set(hashable) }
    return values
  }

  /// A value by which two collections that a key path made are compared; nil if they cannot be.
  var identity: AnyHashable? {
    let values = values.map { $0.map { ($0 as? Members)?.identity ?? $0 } ?? Absence() }
    guard let hashable = Members.hashable(values) else { return nil }
    return kind == .set ? Set(hashable) : hashable
  }

  /// Stands for nil among values that are hashed.
  private struct Absence: Hashable {}

  private static func hashable(_ values: [Any?]) -> [AnyHashable]? {
    let hashable = values.compactMap { $0 as? AnyHashable }
    return hashable.count == values.count ? hashable : nil
  }
}

/// A collection that key paths run through, and that properties of the type can be set to.
protocol MemberCollection {
  var count: Int { get }
  var members: Members { get }
  static var memberType: Any.Type { get }
  /// Calls `body` with the members if their type is a class.
  func withObjects(_ body: (UnsafeBufferPointer<Unmanaged<AnyObject>>) -> Void)
  /// A collection of the type with members that are converted without loss; nil if that cannot be.
  init?(converting members: Members)
}

extension Collection {
  /// The members, without looking for optional layers in each where the type has none.
  fileprivate var flattened: [Any?] {
    OptionalLayers(of: Element.self) == .none ? map { $0 } : map { flatten($0) }
  }
}

extension MemberCollection where Self: Collection {
  static var memberType: Any.Type { Element.self }

  func withObjects(_ body: (UnsafeBufferPointer<Unmanaged<AnyObject>>) -> Void) {
    guard Element.self is AnyClass else { return }
    func withObjects(_ elements: UnsafeBufferPointer<Element>) {
      elements.withMemoryRebound(to: Unmanaged<AnyObject>.self, body)
    }
    // Only a set is not one piece of memory.
    if withContiguousStorageIfAvailable(withObjects) == nil {
      ContiguousArray(self).withUnsafeBufferPointer(withObjects)
    }
  }
}

extension Array: MemberCollection {
  var members: Members { Members(of: self, .array) }
}

extension ArraySlice: MemberCollection {
  var members: Members { Members(of: self, .array) }
}

extension ContiguousArray: MemberCollection {
  var members: Members { Members(of: self, .array) }
}

extension Set: MemberCollection {
  var members: Members { Members(of: self, .set) }
}
