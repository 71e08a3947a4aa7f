// The `Runtime` of Apple's platforms needs a newer system than the package; nothing is known of
// places there.
#if canImport(Runtime) && !canImport(Darwin)
  internal import Runtime
#endif

internal import KeyValueObservingCore

/// The calls that lead to an API of the library, to find the source location of the innermost of
/// them that is not the library's own.
///
/// The functions that register take no `#fileID`, which every program would pay for. A test keeps
/// the addresses on the stack instead, and looks them up in the debug information only if there is
/// something to report.
struct CallStack: Sendable {
  #if canImport(Runtime) && !canImport(Darwin)
    private let backtrace: Backtrace?

    static func capture() -> Self { Self(backtrace: try? Backtrace.capture(limit: 64)) }

    /// The line that called the library, nil if the debug information does not say.
    var location: KeyValueDiagnostic.SourceLocation? {
      guard let frames = backtrace?.symbolicated()?.frames else { return nil }
      for frame in frames {
        guard let symbol = frame.symbol, let location = symbol.sourceLocation, location.line > 0
        else { continue }
        let module = Self.module(ofMangled: symbol.rawName)
        // The name of an extension of the standard library does not begin with the module.
        let path = location.path.split(separator: "/")
        if let module, Self.ownModules.contains(module) { continue }
        if path.dropLast().contains(where: Self.ownModules.contains) { continue }
        let file = path.last ?? ""
        // An accessor that a macro has written.
        if file.hasPrefix("@__swiftmacro_") { continue }
        return KeyValueDiagnostic.SourceLocation(
          fileID: "\(module.map { "\($0)/" } ?? "")\(file)", line: location.line)
      }
      return nil
    }
  #else
    static func capture() -> Self { Self() }

    var location: KeyValueDiagnostic.SourceLocation? { nil }
  #endif

  private static var ownModules: Set<Substring> {
    [
      "KeyValueObservingCore", "KeyValueObserving", "KeyValueObservingFoundation",
      "KeyValueObservingTesting", "KeyValueObservingObservation", "KeyValueObservingRxSwift",
      "KeyValueObservingOpenCombine", "KeyValueObservingGObject", "LifecycleObserving",
    ]
  }

  /// The module in a mangled name, which is the first thing in it for all but extensions of the
  /// standard library: `$s` and the number of its characters precede it.
  static func module(ofMangled name: String) -> Substring? {
    guard name.hasPrefix("$s") else { return nil }
    let rest = name.dropFirst(2)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), count > 0 else { return nil }
    let module = rest.dropFirst(digits.count).prefix(count)
    return module.count == count ? module : nil
  }
}
