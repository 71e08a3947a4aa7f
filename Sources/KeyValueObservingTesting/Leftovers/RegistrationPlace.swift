// Darwin's `Runtime` needs a newer system than the package; there nothing is known of the place.
#if canImport(Runtime) && !canImport(Darwin)
  internal import Runtime
#endif

/// Where an observation was registered: the innermost frame that is none of the library's.
///
/// The functions that register take no `#fileID`, so that nobody pays for one. While a test asks, the
/// addresses on the stack are kept; they are looked up only if there is something to report.
struct RegistrationPlace: Sendable {
  #if canImport(Runtime) && !canImport(Darwin)
    private let backtrace: Backtrace?

    static func capture() -> Self { Self(backtrace: try? Backtrace.capture(limit: 64)) }

    /// The place as `Module/File.swift:12`, nil where the program tells nothing of its lines.
    var text: String? {
      guard let frames = backtrace?.symbolicated()?.frames else { return nil }
      for frame in frames {
        guard let symbol = frame.symbol, let location = symbol.sourceLocation, location.line > 0
        else { continue }
        let module = Self.module(ofMangled: symbol.rawName)
        if let module, Self.ownModules.contains(module) { continue }
        let file = location.path.split(separator: "/").last ?? ""
        return "\(module.map { "\($0)/" } ?? "")\(file):\(location.line)"
      }
      return nil
    }
  #else
    static func capture() -> Self { Self() }

    var text: String? { nil }
  #endif

  private static var ownModules: Set<Substring> {
    [
      "KeyValueObservingCore", "KeyValueObserving", "KeyValueObservingFoundation",
      "KeyValueObservingTesting",
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
