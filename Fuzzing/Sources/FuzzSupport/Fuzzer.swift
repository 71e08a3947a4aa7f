// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A program that libFuzzer runs: it makes inputs and watches which code they reach.
///
/// The program also has a C function `LLVMFuzzerTestOneInput`, for which libFuzzer's own `main` asks.
/// SwiftPM gives every Swift program its own `main` instead, so that starts libFuzzer.
public enum Fuzzer {
  public typealias Trial = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

  /// Tries inputs as the command line says, and ends the process with its status.
  public static func run(_ trial: Trial) {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, trial))
  }

  /// The bytes of an input.
  public static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }
}

@_extern(c)
private func LLVMFuzzerRunDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ trial: Fuzzer.Trial
) -> CInt

@_extern(c)
private func exit(_ status: CInt)
