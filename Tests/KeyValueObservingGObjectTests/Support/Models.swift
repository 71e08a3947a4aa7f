#if GObject
  import CGObject
  import CGObjectModels
  import KeyValueObservingGObject
  import TestSupport

  /// A new GObject that nothing but its source keeps.
  func makeModel() -> GObjectSource { .taking(kvo_model_new()) }

  extension GObjectKey {
    static var child: GObjectKey<GObjectSource> { "child" }
    static var partner: GObjectKey<GObjectSource> { "partner" }
    static var name: GObjectKey<String> { "name" }
    static var double: GObjectKey<Double> { "double" }
    static var pageSize: GObjectKey<Double> { "page-size" }
    static var int32: GObjectKey<Int32> { "int32" }
    static var strings: GObjectKey<[String]> { "strings" }
    static var color: GObjectKey<GObjectBoxed> { "color" }
  }

  /// An object of Swift's that has a GObject.
  @KeyValueObservable
  final class Screen {
    var model: GObjectSource?
    var factor = 1.0

    /// The GObject's properties that its getter reads are found by evaluating it.
    var area: Double { (model?[.pageSize] ?? 0) * factor }
  }

  /// Lines that observers have written.
  final class Lines {
    private var lines: [String] = []

    func write(_ line: String) { lines.append(line) }

    /// A handler that records each change.
    func writer<Subject, Value>(
      _ name: String = ""
    ) -> (Subject, KeyValueChange<Value>) -> Void {
      { [self] _, change in write(name.isEmpty ? "\(change)" : "\(name): \(change)") }
    }

    /// Returns the lines, and begins anew.
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  extension GObjectSource {
    /// The GObject, as its own functions take it.
    var instance: UnsafeMutablePointer<CGObject.GObject> {
      pointer.assumingMemoryBound(to: CGObject.GObject.self)
    }
  }
#endif
