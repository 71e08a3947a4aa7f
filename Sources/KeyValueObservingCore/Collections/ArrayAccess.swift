/// Reads and mutates an array for a proxy, whatever the declared type of its elements.
///
/// The closures are specialized if they are made where the type of the elements is known (rows: by
/// proxy).
@usableFromInline
struct ArrayAccess<Element> {
  @usableFromInline
  let count: () -> Int
  @usableFromInline
  let elements: () -> [Element]
  @usableFromInline
  let element: (_ place: Int) -> Element
  /// Returns whether the array can hold elements, and reports a diagnostic if it cannot.
  let accepts: (_ elements: [Element]) -> Bool
  /// Makes one edit.
  ///
  /// The plan says what is to be done to the array as it is, nil if nothing is.
  @usableFromInline
  let edit: (_ plan: Plan) -> Void

  /// Given the length of an array and its elements, says what is to be done to it.
  ///
  /// It is asked again after prior notifications, and what does not fit the array then is not done.
  @usableFromInline
  typealias Plan = (_ count: Int, _ element: (_ place: Int) -> Element) -> ArrayEdit<Element>?

  @usableFromInline
  init(
    count: @escaping () -> Int, elements: @escaping () -> [Element],
    element: @escaping (Int) -> Element, accepts: @escaping ([Element]) -> Bool,
    edit: @escaping (Plan) -> Void
  ) {
    self.count = count
    self.elements = elements
    self.element = element
    self.accepts = accepts
    self.edit = edit
  }
}

extension CollectionAccess {
  /// The array in a property, with elements of the type that they have there.
  @inlinable
  func arrayAccess<Element>() -> ArrayAccess<Element> where Value == [Element] {
    ArrayAccess(
      count: { value().count }, elements: value, element: { value()[$0] }, accepts: { _ in true },
      edit: { plan in
        var planned: ArrayEdit<Element>?
        var misfit: EditMisfit?
        change(
          {
            // One version of the array, which another thread may replace meanwhile.
            let array = value()
            planned = plan(array.count) { array[$0] }
            misfit = planned?.misfit(count: array.count)
            if misfit != nil { planned = nil }
            return planned.map { description(of: $0) }
          },
          {
            if let planned { apply(planned) }
            return misfit
          })
      })
  }

  @inlinable
  func apply<Element>(_ edit: ArrayEdit<Element>) where Value == [Element] {
    // An object that is deallocated notifies its observers, who may read the property. So it must
    // not be deallocated while the property is being mutated.
    var leaving: [Element] = []
    mutate {
      if edit.edit.kind != .insertion { leaving = $0.elements(at: edit.edit) }
      edit.apply(to: &$0)
    }
    extendLifetime(leaving)
  }

  /// The planned change of which observers are notified for a mutation.
  @inlinable
  func description<Element>(of edit: ArrayEdit<Element>) -> ChangeDescription
  where Value == [Element] {
    ChangeDescription(
      edit.edit, removing: { _ in box(value().elements(at: edit.edit)) },
      adding: { _ in box(edit.elements) })
  }
}
