/// The key path or the keys of a path.
enum PathSource {
  case typed(AnyKeyPath, from: any KeyValueObservable.Type)
  case string(StringPath)

  var text: String {
    switch self {
    case .typed(let keyPath, _): String(describing: keyPath)
    case .string(let path): path.text
    }
  }

  /// The path, if it is known from before.
  var knownPath: KnownPath? {
    switch self {
    case .typed(let keyPath, let root):
      PropertyTable.of(root).routes.find(keyPath)?._withUnsafeGuaranteedRef { $0.path }
    case .string(let path): path.known
    }
  }

  var parts: Parts {
    switch self {
    case .typed: .byPosition
    case .string: .byKey
    }
  }

  func makeRoute() -> any PathRoute {
    switch self {
    case .typed(let keyPath, let root): TypedRoute(keyPath, root: root)
    case .string: StringRoute()
    }
  }
}

/// How the keys that are read lie on the path.
protocol PathRoute {
  /// The path, once it is known.
  var knownPath: KnownPath? { get }
  /// Reads the value key by key, where that is how the path is followed.
  func value(from subject: AnyObject) -> AnyValueBox?
  mutating func placement(of slot: Slot, in table: PropertyTable, at position: Int) -> Placement
  mutating func didRead(_ links: [Link], _ reading: Reading) -> Reading
}

/// A string path: its keys say themselves what part they play while they are read.
struct StringRoute: PathRoute {
  var knownPath: KnownPath? { nil }

  func value(from subject: AnyObject) -> AnyValueBox? { nil }

  func placement(of slot: Slot, in table: PropertyTable, at position: Int) -> Placement {
    Placement()
  }

  func didRead(_ links: [Link], _ reading: Reading) -> Reading { reading }
}
