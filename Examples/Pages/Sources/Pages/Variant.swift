import Glibc

/// The mistake that the tests of what is seen must notice.
enum Variant {
  /// Whether the jump to the start page is made inside the layout that reports the size of the
  /// content, for the test of the tests. Set `PAGES_JUMP=inside-layout` in a debug build.
  @MainActor static var jumpsInsideLayout = {
    #if DEBUG
      getenv("PAGES_JUMP").map { String(cString: $0) } == "inside-layout"
    #else
      false
    #endif
  }()
}
