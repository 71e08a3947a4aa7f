#if canImport(ObjectiveC)
  public import Foundation
#endif

/// An object that hears of changes in one method: the classic observer of Cocoa.
///
/// Any class may conform. A class that comes from Cocoa keeps its method as it is, but for the word
/// `override` and the call of `super`, which has nothing to call. Where the superclass is an observer
/// itself both stay: the method that overrides hears of what the superclass was added to as well, and
/// passes on what does not have a context of its own.
public protocol NSKeyValueObserving: AnyObject {
  /// Hears of one change.
  ///
  /// It is called synchronously, on the thread that makes the change and before its setter returns
  /// (P8), or on the actor on which the observer was added (P40).
  ///
  /// - Parameters:
  ///   - keyPath: The key path, spelled as it was when the observer was added.
  ///   - object: The object to which the observer was added.
  ///   - change: What happened. Which keys are there depends on the options and on the kind, as in
  ///     Cocoa: what was not asked for is absent, what is nil is `NSNull`.
  ///   - context: The context with which the observer was added.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}
