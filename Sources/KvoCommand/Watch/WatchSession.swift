import Foundation
import KeyValueObserving

/// What `kvo watch` knows: the live document, who observes it, and what the user has been told.
final class WatchSession {
  private let request: WatchRequest
  private let output: Output
  private let printer: ChangePrinter
  private let document = Document()
  private var observers: [KeyValueObserver] = []
  /// What the last document said about each key path.
  private var checks: [String: KeyPathCheck] = [:]
  private var isBroken = false

  /// Refuses key paths that are wrong in any document.
  init(_ request: WatchRequest, _ output: Output) throws(CommandError) {
    self.request = request
    self.output = output
    printer = ChangePrinter(request, output)
    // A path that runs into a value without keys is reported by `check`, in the words of a document.
    KeyValueDiagnostics.handler = nil
    for keyPath in request.keyPaths { _ = try observer(of: keyPath) }
  }

  /// Begins to print a line for each change.
  func observe() throws(CommandError) {
    for keyPath in request.keyPaths { observers.append(try observer(of: keyPath)) }
    let count = observers.count == 1 ? "1 key path" : "\(observers.count) key paths"
    output.complain("watching \(count) of \(request.file), Ctrl-C ends it")
  }

  /// Makes the live document what `object` says. Observers hear of the difference.
  func take(_ object: JSONObject) throws(CommandError) {
    if isBroken { output.complain("\(request.file): can be read again") }
    isBroken = false
    for keyPath in request.keyPaths { try check(keyPath, in: object) }
    document.apply(object)
  }

  /// Says why the file could not be read.
  func report(_ error: CommandError) {
    isBroken = true
    let remedy =
      checks.isEmpty
      ? "Watching goes on until there is a document." : "The last good document stays."
    output.complain("\(error.message) \(remedy)")
  }

  func printValues() {
    for keyPath in request.keyPaths {
      output.print(printer.line(keyPath, value: value(at: keyPath)))
    }
  }

  private func value(at keyPath: String) -> Any? {
    // It was checked against the document, so an error cannot come.
    try? document.root.value(forKeyPath: keyPath)
  }

  private func observer(of keyPath: String) throws(CommandError) -> KeyValueObserver {
    do throws(KeyValueCodingError) {
      return try KeyValueObserver(
        source: document.root, keyPath: keyPath, options: [.old, .new, .distinct]
      ) { [output, printer] change, reason in
        if reason != .sourceDeleted { output.print(printer.line(keyPath, change, at: Date())) }
      }
    } catch {
      let cleaned = keyPath.split(separator: ".").joined(separator: ".")
      let suggestion = cleaned.isEmpty || cleaned == keyPath ? "" : " Did you mean '\(cleaned)'?"
      throw .usage(error.description + suggestion)
    }
  }

  /// Tells what is worth telling about a key path in a document that is about to be taken.
  private func check(_ keyPath: String, in object: JSONObject) throws(CommandError) {
    let check = KeyPathCheck(keyPath, in: object)
    let former = checks.updateValue(check, forKey: keyPath)
    guard check != former, let remark = check.remark(on: keyPath, in: request.file) else { return }
    if former == nil, case .noKeys = check { throw .usage(remark) }
    if request.isOnce, check == .endsAtObject { return }
    output.complain(remark)
  }
}
