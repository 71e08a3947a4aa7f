/// The key path or the keys of a path.
enum KeyPathOrigin {
  /// - `plan`: The plan, if it is known from before; the table of the class keeps it.
  case typed(AnyKeyPath, from: any KeyValueObservable.Type, plan: Unmanaged<KeyPathPlan>?)
  case string(KeyPathPlan)

  var text: String {
    switch self {
    case .typed(let keyPath, _, _): String(describing: keyPath)
    case .string(let plan): plan.text
    }
  }

  /// The plan, if it is known from before, which this keeps.
  var plan: Unmanaged<KeyPathPlan>? {
    switch self {
    case .typed(_, _, let plan): plan
    case .string(let plan): .passUnretained(plan)
    }
  }
}
