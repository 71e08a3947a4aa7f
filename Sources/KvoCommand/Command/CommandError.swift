import Foundation

/// An error that ends the command, with its exit status (those of `sysexits.h`).
struct CommandError: Error, Equatable {
  let status: Int32
  let message: String

  /// The command was called in a way that can never work.
  static func usage(_ message: String) -> Self {
    Self(status: 64, message: message)
  }

  /// The input is there and is not what it should be.
  static func data(_ message: String) -> Self {
    Self(status: 65, message: message)
  }

  /// The input cannot be read.
  static func noInput(_ message: String) -> Self {
    Self(status: 66, message: message)
  }

  var isNoInput: Bool { status == 66 }

  /// A part of the command is missing.
  static func unavailable(_ message: String) -> Self {
    Self(status: 69, message: message)
  }
}
