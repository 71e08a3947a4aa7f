/// An error that ends the command, with its exit status (those of `sysexits.h`).
package struct PortError: Error, Equatable {
  let status: Int32
  let message: String

  /// The command was called in a way that can never work.
  static func usage(_ message: String) -> Self {
    Self(status: 64, message: "\(message)\nSee 'kvo port --help'.")
  }

  /// A path cannot be read.
  static func noInput(_ message: String) -> Self { Self(status: 66, message: message) }

  /// There is something that the command would overwrite.
  static func cannotCreate(_ message: String) -> Self { Self(status: 73, message: message) }

  /// A file cannot be written.
  static func output(_ message: String) -> Self { Self(status: 74, message: message) }
}
