#if canImport(ObjectiveC)
  public import Foundation
#endif

/// An object that receives changes in one method: the `addObserver`-style observer of Cocoa.
///
/// Any class may conform. A class that comes from Cocoa keeps its method, except for the word
/// `override` and the call of `super`, which has no implementation. If the superclass is an
/// observer itself, both stay: the overriding method receives the superclass's changes as well, and
/// passes on those without a context of its own.
public protocol NSKeyValueObserving: AnyObject {
  /// Receives one change.
  ///
  /// It is called synchronously, on the thread that makes the change and before its setter returns
  /// (P8), or on the actor on which the observer was added (P40).
  ///
  /// - Parameters:
  ///   - keyPath: The key path, spelled as it was when the observer was added.
  ///   - object: The object to which the observer was added.
  ///   - change: The change. Its keys depend on the options and on the kind, as in Cocoa: a value
  ///     that was not requested is absent, and a value that is nil is `NSNull`.
  ///   - context: The context with which the observer was added.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}
