/// The key path or the keys of a path.
enum KeyPathOrigin {
  case typed(AnyKeyPath, from: any KeyValueObservable.Type)
  case string(KeyPathPlan)

  var text: String {
    switch self {
    case .typed(let keyPath, _): String(describing: keyPath)
    case .string(let plan): plan.text
    }
  }

  /// The plan, if it is known from before.
  ///
  /// This keeps it, or the table of the class.
  var plan: Unmanaged<KeyPathPlan>? {
    switch self {
    case .typed(let keyPath, let root): KeyPathDecomposer.knownPlan(of: keyPath, from: root)
    case .string(let plan): .passUnretained(plan)
    }
  }
}
