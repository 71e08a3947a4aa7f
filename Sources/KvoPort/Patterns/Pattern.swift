/// One thing that Apple code does, and what becomes of it.
protocol Pattern {
  /// Finds the sites in a file, and adds their edits.
  static func apply(to file: FilePort)
}

/// All patterns, in the order in which their edits are made.
var allPatterns: [any Pattern.Type] {
  [
    ObservedClassPattern.self, DynamicPropertyPattern.self, StoredPropertyPattern.self,
    ComputedSetterPattern.self, KeyPathLiteralPattern.self, ObserverClassPattern.self,
    SuperCallPattern.self, AffectingKeysPattern.self, TokenTypePattern.self, AnyObjectPattern.self,
    KeyValueCodingPattern.self, CodingHookPattern.self, ObservationPattern.self,
    ChangeKeyPattern.self,
    ManualNotificationPattern.self, KeyPathStringPattern.self, OperationPattern.self,
    UserDefaultsPattern.self, ObjectiveCAttributePattern.self, DatabaseClassPattern.self,
    WrapperCallWarnings.self, FrameworkUsePattern.self, ObservedPropertyWarnings.self,
    InitializerWarnings.self,
    OverriddenFunctionPattern.self, ImportPattern.self,
  ]
}
