/// A change that somebody is about to make to a property, and what its observers are to be told.
@usableFromInline
struct PlannedChange {
  /// What it does to the elements of a collection; nil where it sets the property.
  let edit: Edit?
  /// Reads what the change takes away, before it is made; nil where it takes nothing away.
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
