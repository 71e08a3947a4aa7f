/// Something the library is good for: a few lines of code, and what they print when they run.
struct Scene: Sendable {
  typealias Print = (String) -> Void

  let title: String
  let claim: String
  /// The lines of `run`.
  ///
  /// Swift cannot show its own source, so they are here once more, and a test compares the two.
  let code: String
  let run: @Sendable (_ print: @escaping Print) -> Void
}
