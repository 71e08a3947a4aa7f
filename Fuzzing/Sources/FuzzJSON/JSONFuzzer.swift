import FuzzSupport
import KeyValueObserving

@testable import FuzzedCommand

@main
enum JSONFuzzer {
  static func main() {
    KeyValueDiagnostics.handler = nil
    Fuzzer.run(tryInput)
  }
}

/// The input is two versions of a document, with `=` in a line of its own between them, and then,
/// behind another such line, a key path.
///
/// Without a second version it is a part of the first.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = Fuzzer.bytes(start, count).split(separator: Array("\n=\n".utf8), maxSplits: 2)
  let versions = parts.prefix(2).map { ReaderTrial(Array($0)).run() }
  guard case let former?? = versions.first else { return 0 }
  let current = versions.dropFirst().first ?? former.variant
  guard let current else { return 0 }
  let keyPath = parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : "a.@count"
  DifferenceTrial(former.elements, current.elements).run()
  DocumentTrial(former.document, current.document).run()
  WatchTrial(keyPath, [former.document, current.document, former.document]).run()
  return 0
}
