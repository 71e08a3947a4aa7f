/// How a proxy reads and edits an array, whatever the property says of its elements.
protocol ArrayAccess<Element> {
  associatedtype Element

  var count: Int { get }
  var elements: [Element] { get }
  subscript(place: Int) -> Element { get }

  /// Whether the array can hold elements. If not, a diagnostic says so.
  func accepts(_ elements: [Element]) -> Bool

  /// Makes one edit.
  ///
  /// - Parameter plan: Says what is to be done to the array as it is, nil if nothing is. It is asked
  ///   again if a prior callback has changed something.
  func edit(_ plan: () -> ArrayEdit<Element>?)
}

/// The array in a property, with elements of the type that they have there.
struct PropertyArray<Element>: ArrayAccess {
  let access: CollectionAccess<[Element]>

  var count: Int { access.value().count }
  var elements: [Element] { access.value() }
  subscript(place: Int) -> Element { access.value()[place] }

  func accepts(_ elements: [Element]) -> Bool { true }

  func edit(_ plan: () -> ArrayEdit<Element>?) {
    var planned: ArrayEdit<Element>?
    access.change(
      {
        planned = plan()
        return planned.map(announcement)
      },
      { if let planned { apply(planned) } })
  }

  private func apply(_ edit: ArrayEdit<Element>) {
    // An object that dies tells its observers, who may read the property. So it must not die while
    // the property is being changed.
    let leaving = edit.kind == .insertion ? [] : elements.elements(at: edit.indexes)
    access.mutate { edit.apply(to: &$0) }
    withExtendedLifetime(leaving) {}
  }

  /// What observers are told of an edit.
  private func announcement(of edit: ArrayEdit<Element>) -> PlannedChange {
    let description = Edit(edit.kind, at: edit.indexes)
    let formerly = { access.box(elements.elements(at: edit.indexes)) }
    switch edit {
    case .insertion(_, let elements):
      return PlannedChange(edit: description, old: nil, new: { access.box(elements) })
    case .removal:
      return PlannedChange(edit: description, old: formerly, new: nil)
    case .replacement(_, let elements):
      return PlannedChange(edit: description, old: formerly, new: { access.box(elements) })
    }
  }
}
