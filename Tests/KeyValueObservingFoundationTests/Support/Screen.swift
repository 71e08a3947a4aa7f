import Foundation
import KeyValueObservingFoundation

/// An `addObserver`-style observer that records the changes that it receives, each as a line with
/// its entries in a fixed order.
final class Screen: NSKeyValueObserving {
  private(set) var history: [String] = []
  private(set) var contexts: [UnsafeMutableRawPointer?] = []
  private(set) var objects: [ObjectIdentifier] = []
  /// Done after a change was written down.
  var react: (() -> Void)?
  private let onDeallocation: (Screen) -> Void

  init(onDeallocation: @escaping (Screen) -> Void = { _ in }) {
    self.onDeallocation = onDeallocation
  }

  deinit { onDeallocation(self) }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    history.append("\(keyPath ?? "?"): \(describe(change ?? [:]))")
    contexts.append(context)
    objects.append(ObjectIdentifier(object as AnyObject))
    react?()
  }

  /// Returns the history and begins a new one.
  func take() -> [String] {
    defer {
      history = []
      contexts = []
      objects = []
    }
    return history
  }
}

/// The entries of a change, each with its value, in a fixed order.
func describe(_ change: [NSKeyValueChangeKey: Any]) -> String {
  let keys: [NSKeyValueChangeKey] = [
    .kindKey, .notificationIsPriorKey, .indexesKey, .newKey, .oldKey,
  ]
  precondition(Set(change.keys).isSubset(of: keys))
  return keys.compactMap { key in
    switch change[key] {
    case nil: nil
    case is NSNull: "\(key.rawValue) null"
    case let kind as UInt where key == .kindKey: "kind \(kind)"
    case let isPrior as Bool where key == .notificationIsPriorKey: "isPrior \(isPrior)"
    case let indexes as IndexSet where key == .indexesKey: "indexes \(Array(indexes))"
    case let value? where key == .newKey || key == .oldKey: "\(key.rawValue) \(value)"
    case let value?: "\(key.rawValue) is a \(type(of: value))"
    }
  }.joined(separator: ", ")
}
