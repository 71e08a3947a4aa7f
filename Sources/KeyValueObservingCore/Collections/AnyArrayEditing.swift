/// The array in a property, with elements of any type, which are converted to those that it holds.
struct AnyArrayEditing<Held> {
  private let array: ArrayAccess<Held>
  private let target: ProxyTarget

  init(_ access: CollectionAccess<[Held]>, of target: ProxyTarget) {
    array = access.arrayAccess()
    self.target = target
  }

  var access: ArrayAccess<Any?> {
    ArrayAccess(
      count: array.count, elements: { array.elements().map { flatten($0) } },
      element: { flatten(array.element($0)) }, accepts: accepts, edit: edit)
  }

  private func accepts(_ elements: [Any?]) -> Bool {
    guard case .failure(let refusal) = converted(elements) else { return true }
    KeyValueDiagnostics.report(refusal.diagnostic)
    return false
  }

  private func edit(_ plan: ArrayAccess<Any?>.Plan) {
    var refusal: ProxyRefusal?
    array.edit { count, element in
      refusal = nil
      let planned = withoutActuallyEscaping(element) { element in
        plan(count) { flatten(element($0)) }
      }
      switch planned.map(converted) {
      case nil: return nil
      case .success(let edit): return edit
      case .failure(let found):
        refusal = found
        return nil
      }
    }
    if let refusal { KeyValueDiagnostics.report(refusal.diagnostic) }
  }

  private func converted(_ edit: ArrayEdit<Any?>) -> Result<ArrayEdit<Held>, ProxyRefusal> {
    converted(edit.elements).map { ArrayEdit(edit.edit, bringing: $0) }
  }

  private func converted(_ elements: [Any?]) -> Result<[Held], ProxyRefusal> {
    Result { () throws(ProxyRefusal) in try target.converted(elements, in: [Any?].self) }
  }
}
