import Foundation
import KeyValueObservingFoundation

@KeyValueObservable
final class Sensor: NSObject {
  var value = 0
}

/// A superclass of observers, which is one itself.
class GuardedObserver: NSObject, NSKeyValueObserving {
  nonisolated(unsafe) static var context = 0
  let sensor: Sensor
  var lines: [String] = []

  init(_ sensor: Sensor) {
    self.sensor = sensor
    super.init()
    sensor.addObserver(
      self, forKeyPath: "value", options: [.new], context: &GuardedObserver.context)
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard context == &GuardedObserver.context else {
      return
    }
    lines.append("guarded \(change?[.newKey] as? Int ?? -1)")
  }
}

final class DerivedObserver: GuardedObserver {
  nonisolated(unsafe) static var ownContext = 0

  override init(_ sensor: Sensor) {
    super.init(sensor)
    sensor.addObserver(self, forKeyPath: "value", options: .old, context: &Self.ownContext)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if context == &Self.ownContext {
      lines.append("derived \(change?[.oldKey] as? Int ?? -1)")
    } else {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
  }
}

final class SwitchObserver: NSObject, NSKeyValueObserving {
  var lines: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    switch (keyPath, object) {
    case ("value"?, let sensor as Sensor): lines.append("switch \(sensor.value)")
    default: break
    }
  }
}

final class ReturnObserver: NSObject, NSKeyValueObserving {
  var lines: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let sensor = object as? Sensor else {
      return
    }
    if keyPath == "value" {
      lines.append("return \(sensor.value)")
    } else if keyPath == nil {
    } else {
    }
  }
}

enum ContextGuardsExample {
  static func run() -> [String] {
    let sensor = Sensor()
    let derived = DerivedObserver(sensor)
    let (switching, returning) = (SwitchObserver(), ReturnObserver())
    sensor.addObserver(switching, forKeyPath: "value", options: [], context: nil)
    sensor.addObserver(returning, forKeyPath: "value", options: [], context: nil)
    sensor.value = 1
    sensor.removeObserver(switching, forKeyPath: "value", context: nil)
    sensor.value = 2
    return derived.lines + switching.lines + returning.lines
  }
}
