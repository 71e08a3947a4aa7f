import FuzzSupport
import KeyValueObserving

@main
enum KeyPathFuzzer {
  static func main() {
    KeyValueDiagnostics.handler = nil
    Fuzzer.run(tryInput)
  }
}

/// The input is a key path.
///
/// The part after a line break steers the use of the path.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = Fuzzer.bytes(start, count).split(
    separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let keyPath = String(decoding: parts[0], as: UTF8.self)
  var steering = InputReader(parts.dropFirst().first ?? [])
  let shape = steering.element(of: Graph.Shape.allCases)
  let former = Census.count
  ObserveTrial.run(keyPath, shape, steering)
  WriteTrial(keyPath, shape, steering).run()
  claimEqual(Census.count, former, "objects are left behind by '\(keyPath)'")
  return 0
}
