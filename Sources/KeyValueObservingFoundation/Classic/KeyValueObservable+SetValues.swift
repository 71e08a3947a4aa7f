internal import Foundation
internal import KeyValueObservingCore

// `NSObject` has this itself where Foundation has key-value coding.
#if !canImport(ObjectiveC)
  extension KeyValueObservable {
    /// Sets several properties, all or none, and notifies the observers of each once.
    ///
    /// It is `setValues(_:)` as Cocoa spells it: `NSNull` stands for nil, and nothing is thrown. A value
    /// that cannot be set, where Cocoa raises an exception after some properties have been set, leaves
    /// all properties as they are, and the reason is reported as a `KeyValueDiagnostic`.
    ///
    /// - Parameter keyedValues: The values by key. The keys are keys, not key paths.
    /// - Complexity: O(*n* log *n*) for *n* keys.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
      do throws(KeyValueCodingError) {
        try setValues(keyedValues.mapValues { $0 is NSNull ? nil : $0 })
      } catch {
        KeyValueDiagnostics.report(.valuesNotSet(subject: type(of: self), error: error))
      }
    }
  }
#endif
