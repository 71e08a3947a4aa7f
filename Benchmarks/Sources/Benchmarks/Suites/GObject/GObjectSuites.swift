#if GObject
  /// The suites that the trait `GObject` brings.
  var gObjectSuites: [any Suite.Type] { [GObjects.self] }
#else
  /// Without the trait `GObject` there are none.
  var gObjectSuites: [any Suite.Type] { [] }
#endif
