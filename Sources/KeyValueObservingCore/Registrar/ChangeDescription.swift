/// A change that is about to be made to a property, as its observers will be notified of it.
///
/// That of a manual pair does not retain the object.
@usableFromInline
struct ChangeDescription {
  @usableFromInline
  typealias Read = (_ subject: AnyObject) -> AnyValueBox

  /// The mutation of a collection's elements; nil for a change that sets the property.
  let edit: Edit?
  /// Reads the values that the change removes, before it is made; nil if it removes none.
  let old: Read?
  /// Reads what the change brings, after it is made; nil where it brings nothing.
  let new: Read?

  @usableFromInline
  init(edit: Edit?, old: Read?, new: Read?) {
    self.edit = edit
    self.old = old
    self.new = new
  }

  // Only the closure that is used is made (row: edit by proxy).
  /// A mutation of a collection's elements.
  ///
  /// - `removed`: Reads the elements that it removes, if it removes any.
  /// - `added`: Reads those that it adds, likewise.
  @inlinable
  @inline(__always)
  init(
    _ edit: Edit, removing removed: @autoclosure () -> Read, adding added: @autoclosure () -> Read
  ) {
    self.init(
      edit: edit, old: edit.kind == .insertion ? nil : removed(),
      new: edit.kind == .removal ? nil : added())
  }

  /// A change of a property as a whole.
  init(of property: KeyValueProperty) {
    let read = { (subject: AnyObject) in property.box(of: subject) }
    self.init(edit: nil, old: read, new: read)
  }
}
