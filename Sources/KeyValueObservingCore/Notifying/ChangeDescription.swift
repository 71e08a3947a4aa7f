/// A change that is about to be made to a property, as its observers will be notified of it.
@usableFromInline
struct ChangeDescription {
  /// The mutation of a collection's elements; nil for a change that sets the property.
  let edit: Edit?
  /// Reads the values that the change removes, before it is made; nil if it removes none.
  let old: (() -> AnyValueBox)?
  /// Reads what the change brings, after it is made; nil where it brings nothing.
  let new: (() -> AnyValueBox)?

  @usableFromInline
  init(edit: Edit?, old: (() -> AnyValueBox)?, new: (() -> AnyValueBox)?) {
    self.edit = edit
    self.old = old
    self.new = new
  }

  /// A change of a property as a whole.
  init(of property: KeyValueProperty, in subject: AnyObject) {
    let read = { property.box(of: subject) }
    self.init(edit: nil, old: read, new: read)
  }
}
