// The prefix keeps the names of expansions clear of those of users.
// swift-format-ignore: NoLeadingUnderscores
/// A list of the deprecated properties of a class.
///
/// Only expansions of macros use it. Referring to a deprecated property produces a warning, unless
/// the referring function is deprecated too, which moves the warning to its callers. Calling it
/// through a protocol requirement produces none.
@_documentation(visibility: internal)
public protocol _$DeprecatedProperties {
  /// Returns the properties.
  static func list() -> [KeyValueProperty]
}

extension _$DeprecatedProperties {
  // swift-format-ignore: NoLeadingUnderscores
  /// Adds the properties to a list.
  @_documentation(visibility: internal)
  public static func _$append(to properties: inout [KeyValueProperty]) { properties += list() }
}
