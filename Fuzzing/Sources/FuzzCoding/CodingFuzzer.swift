import FuzzSupport
import KeyValueObserving

@main
enum CodingFuzzer {
  static func main() {
    KeyValueDiagnostics.handler = nil
    Fuzzer.run(tryInput)
  }
}

/// The input is read as a few calls with their values.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var reader = InputReader(Fuzzer.bytes(start, count))
  let trial = CodingTrial()
  for _ in 0..<6 where !reader.isAtEnd { trial.call(&reader) }
  trial.end()
  return 0
}
