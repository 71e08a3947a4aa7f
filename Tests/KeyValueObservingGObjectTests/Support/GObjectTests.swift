#if GObject
  import CGObjectModels
  import Testing

  /// Holds all tests of GObjects, which run one after the other: each counts the GObjects that it leaves.
  @Suite("GObject", .serialized, .leavingNoGObjects)
  enum GObjectTests {}

  /// Fails a test after which a GObject is left.
  ///
  /// In its tests every warning of GLib stops the program, as `G_DEBUG=fatal-warnings` has it.
  struct LeavingNoGObjects: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      kvo_make_warnings_fatal()
      try await function()
      if testCase != nil {
        #expect(kvo_model_live_count() == 0, "GObjects are left by \(test.name).")
      }
    }
  }

  extension Trait where Self == LeavingNoGObjects {
    static var leavingNoGObjects: Self { Self() }
  }
#endif
