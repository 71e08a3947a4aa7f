/// The mistake that tests of what is seen have to notice.
///
/// A release build cannot make it.
@MainActor
package enum Mistake {
  #if DEBUG
    /// Whether ``Widget/afterLayout(_:)`` calls its closure at once, inside the layout.
    package static var runsWorkInsideLayout = false
  #else
    static var runsWorkInsideLayout: Bool { false }
  #endif
}
