/// The key path or the keys of a path.
enum KeyPathOrigin {
  case typed(AnyKeyPath, from: any KeyValueObservable.Type)
  case string(StringPath)

  var text: String {
    switch self {
    case .typed(let keyPath, _): String(describing: keyPath)
    case .string(let path): path.text
    }
  }

  /// The path, if it is known from before.
  var plan: KeyPathPlan? {
    switch self {
    case .typed(let keyPath, let root):
      PropertyTable.of(root).decompositions.find(keyPath)?._withUnsafeGuaranteedRef { $0.path }
    case .string(let path): path.known
    }
  }

  var roles: RoleAssignment {
    switch self {
    case .typed: .byPosition
    case .string: .byKey
    }
  }

  func makeRoute() -> any KeyPathDecomposition {
    switch self {
    case .typed(let keyPath, let root): TypedDecomposition(keyPath, root: root)
    case .string: StringDecomposition()
    }
  }
}

/// How the keys that are read lie on the path.
protocol KeyPathDecomposition {
  /// The path, once it is known.
  var plan: KeyPathPlan? { get }
  /// Reads the value key by key, where that is how the path is followed.
  func value(from subject: AnyObject) -> AnyValueBox?
  mutating func role(of observedKey: ObservedKey, in table: PropertyTable, at position: Int)
    -> LinkRole
  mutating func didRead(_ links: [Link], _ reading: ReadSummary) -> ReadSummary
}

/// A string path: its keys say themselves what part they play while they are read.
struct StringDecomposition: KeyPathDecomposition {
  var plan: KeyPathPlan? { nil }

  func value(from subject: AnyObject) -> AnyValueBox? { nil }

  func role(of observedKey: ObservedKey, in table: PropertyTable, at position: Int) -> LinkRole {
    LinkRole()
  }

  func didRead(_ links: [Link], _ reading: ReadSummary) -> ReadSummary { reading }
}
