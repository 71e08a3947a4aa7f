import Foundation

/// A destination of text.
protocol PortStream {
  func write(_ bytes: [UInt8])
}

extension PortStream {
  func print(_ line: String) { write(Array((line + "\n").utf8)) }
}

/// Standard output or standard error.
struct StandardStream: PortStream {
  private let handle: FileHandle

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  func write(_ bytes: [UInt8]) {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      exit(74)
    }
  }
}
