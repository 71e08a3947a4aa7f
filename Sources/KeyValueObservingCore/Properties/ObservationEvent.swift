// The prefix keeps the names of expansions clear of those of users.
// swift-format-ignore: NoLeadingUnderscores
/// An event of which the registrar of the module `Observation` is notified, after the functions of
/// that registrar.
///
/// Only expansions of macros use it.
@_documentation(visibility: internal)
public enum _$ObservationEvent: Sendable {
  /// The property was read.
  case access
  /// The property is about to change.
  case willSet
  /// The property has changed.
  case didSet
}

extension KeyValueObservable {
  // swift-format-ignore: NoLeadingUnderscores
  /// Notifies the registrar of the module `Observation`.
  ///
  /// Accessors of subclasses call it.
  ///
  /// A class that declares conformance to `Observable` has a function of this name itself, and so do its
  /// subclasses: the compiler prefers that. In every other class a call is compiled to nothing, so no
  /// argument is evaluated.
  @_documentation(visibility: internal)
  @_transparent
  public func _$observation<Root, Value>(
    _ event: _$ObservationEvent, of subject: Root,
    at keyPath: @autoclosure () -> KeyPath<Root, Value>,
    target: @autoclosure () -> AnyObject? = nil
  ) {}
}
