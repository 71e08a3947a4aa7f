// The prefix keeps the names of expansions clear of those of users.
// swift-format-ignore: NoLeadingUnderscores
/// What lists the deprecated properties of a class.
///
/// Only expansions of macros use it.
///
/// Whoever names a deprecated property is warned, and so is whoever calls a function that is
/// deprecated so as not to be. Through a requirement it is called without a warning.
@_documentation(visibility: internal)
public protocol _$DeprecatedProperties {
  /// Returns the properties.
  static func list() -> [KeyValueProperty]
}

extension _$DeprecatedProperties {
  /// Adds the properties to a list.
  // swift-format-ignore: NoLeadingUnderscores
  @_documentation(visibility: internal)
  public static func _$append(to properties: inout [KeyValueProperty]) { properties += list() }
}
