import Foundation
import KeyValueObserving

/// The state of `kvo watch`: the live document, its observers, and the reported messages.
final class WatchSession {
  private let request: WatchRequest
  private let output: Output
  private let printer: ChangePrinter
  private let document = Document()
  private var observers: [KeyValueObserver] = []
  /// The save that is being taken.
  private var save: Save?
  /// The check of each key path in the last document.
  private var checks: [String: KeyPathCheck] = [:]
  /// The errors of key paths that could not be evaluated in the last document.
  private var failures: [String: String] = [:]
  /// Why the file could not be read last; nil once it could.
  private var problem: CommandError?

  /// Refuses key paths that are wrong in any document.
  init(_ request: WatchRequest, _ output: Output) throws(CommandError) {
    self.request = request
    self.output = output
    printer = ChangePrinter(request, output)
    // Evaluation errors are reported once the whole document is taken: see `take`.
    KeyValueDiagnostics.handler = nil
    for keyPath in request.keyPaths { _ = try observer(of: keyPath) { _ in } }
  }

  /// Begins to print a line for each change.
  func observe() throws(CommandError) {
    for keyPath in request.keyPaths {
      observers.append(
        try observer(of: keyPath) { [unowned self] change in save?.receive(change, of: keyPath) })
    }
    let count = observers.count == 1 ? "1 key path" : "\(observers.count) key paths"
    output.complain("watching \(count) of \(request.file), Ctrl-C ends it")
  }

  /// Updates the live document to `object`, and prints what has changed.
  func take(_ object: JSONObject) throws(CommandError) {
    if problem != nil { output.complain("\(request.file): can be read again") }
    problem = nil
    for keyPath in request.keyPaths { try check(keyPath, in: object) }
    save = Save(to: document, of: request.keyPaths)
    document.apply(object)
    for keyPath in request.keyPaths { try evaluate(keyPath) }
    printChanges()
  }

  /// Says why the file could not be read.
  ///
  /// A directory in its place changes with each file in it, which is no save, and is reported once.
  func report(_ error: CommandError) {
    if error == problem, error.isNoInput { return }
    problem = error
    let remedy =
      checks.isEmpty
      ? "Watching goes on until there is a document." : "The last good document stays."
    output.complain("\(error.message) \(remedy)")
  }

  func printValues() {
    for keyPath in request.keyPaths {
      // It was evaluated when the document was taken, so an error cannot come.
      output.print(printer.line(keyPath, value: document.value(at: keyPath)))
    }
  }

  /// Prints the received changes: the key paths in the order of the request.
  private func printChanges() {
    guard let save else { return }
    let time = Date()
    for keyPath in request.keyPaths {
      for change in save.changes(of: keyPath, in: document) {
        output.print(printer.line(keyPath, change, at: time))
      }
    }
  }

  private func observer(
    of keyPath: String, _ receive: @escaping (KeyValueChange<Any?>) -> Void
  ) throws(CommandError) -> KeyValueObserver {
    do throws(KeyValueCodingError) {
      return try KeyValueObserver(
        source: document.root, keyPath: keyPath, options: [.old, .new]
      ) { change, reason in
        if reason != .sourceDeleted { receive(change) }
      }
    } catch {
      let cleaned = keyPath.split(separator: ".").joined(separator: ".")
      let suggestion = cleaned.isEmpty || cleaned == keyPath ? "" : " Did you mean '\(cleaned)'?"
      throw .usage(error.description + suggestion)
    }
  }

  /// Reports a remark about a key path in a document that is about to be taken.
  private func check(_ keyPath: String, in object: JSONObject) throws(CommandError) {
    let check = KeyPathCheck(keyPath, in: object)
    let former = checks.updateValue(check, forKey: keyPath)
    guard check != former, let remark = check.remark(on: keyPath, in: request.file) else { return }
    if former == nil, check.leadsNowhere { throw .usage(remark) }
    if request.isOnce, check.endsAtObjects { return }
    output.complain(remark)
  }

  /// Reports a value that cannot be computed from the document, such as the sum of texts.
  private func evaluate(_ keyPath: String) throws(CommandError) {
    if checks[keyPath]?.leadsNowhere == true { return }
    let former = failures[keyPath]
    do throws(KeyValueCodingError) {
      _ = try document.root.value(forKeyPath: keyPath)
      failures[keyPath] = nil
    } catch {
      failures[keyPath] = error.description
      if observers.isEmpty { throw .usage("\(request.file): \(error.description)") }
      if error.description == former { return }
      output.complain("\(request.file): \(error.description) It is null until it can be.")
    }
  }
}
