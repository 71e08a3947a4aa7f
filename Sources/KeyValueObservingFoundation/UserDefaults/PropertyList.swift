internal import Foundation

/// Whether `UserDefaults` can store a value.
func isPropertyList(_ value: Any) -> Bool {
  switch value {
  case is String, is NSString, is Data, is NSData, is Date, is NSDate, is NSNumber: true
  case let array as [Any]: array.allSatisfy(isPropertyList)
  case let dictionary as [AnyHashable: Any]:
    dictionary.allSatisfy { $0 is String && isPropertyList($1) }
  default: false
  }
}

/// Whether two values of a property list are equal, as their objects are.
func areEqual(_ left: Any?, _ right: Any?) -> Bool {
  switch (left, right) {
  case (nil, nil): true
  case (let left?, let right?): NSArray(object: left).isEqual(to: [right])
  default: false
  }
}
