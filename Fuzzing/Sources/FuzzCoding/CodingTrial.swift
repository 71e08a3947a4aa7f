import FuzzSupport
@testable import KeyValueObservingCore

/// An object, each key of which is observed, and the calls that are made on it.
///
/// The claims for each call (P42, P43): if it throws, nothing has changed and no observer was
/// notified; if not, each key is notified once, and the value that is read back is the one that was
/// written, without loss. Acceptable values are accepted, and others are rejected.
final class CodingTrial {
  private let sample = Sample()
  private let keys: [String]
  private var tokens: [KeyValueObservation] = []
  private let received = Received()

  private final class Received {
    var values: [(key: String, value: Any?)] = []
  }

  init() {
    keys = PropertyTable.of(Sample.self).properties.map(\.key)
    for key in keys {
      let token = try? sample.observe(key, options: .new) { [received] _, change in
        received.values.append((key, change.newValue ?? nil))
      }
      claim(token != nil, "'\(key)' cannot be observed")
      if let token { tokens.append(token) }
    }
  }

  func call(_ reader: inout InputReader) {
    switch reader.number(below: 8) {
    case 0..<3:
      let key = key(&reader)
      write([key: reader.value()]) { try sample.setValue($0[key] ?? nil, forKey: key) }
    case 3:
      let key = key(&reader)
      write([key: reader.value()]) { try sample.setValue($0[key] ?? nil, forKeyPath: key) }
    case 4:
      let key = key(&reader)
      write([key: reader.value()]) { try sample.setValidatedValue($0[key] ?? nil, forKey: key) }
    case 5:
      var values: [String: Any?] = [:]
      for _ in 0..<reader.number(below: 5) {
        values.updateValue(reader.value(), forKey: key(&reader))
      }
      write(values) { try sample.setValues($0) }
    case 6: operate(on: reader.array(below: 8) { $0.value(depth: 3) })
    default: setBack()
    }
    sample.observationContext.checkInvariants()
  }

  func end() {
    tokens = []
    claim(!sample.observationContext.isObjectObserved, "an observer is attached after the end")
  }

  /// Mostly a key of the object.
  private func key(_ reader: inout InputReader) -> String {
    let choice = reader.number(below: keys.count + 2)
    return choice < keys.count ? keys[choice] : choice == keys.count ? "itn" : ""
  }

  private func write(_ values: [String: Any?], _ call: ([String: Any?]) throws -> Void) {
    let former = state
    received.values = []
    do {
      try call(values)
      let changed = values.keys + (values.keys.contains("int8") ? ["computed"] : [])
      claimEqual(received.values.map(\.key).sorted(), changed.sorted(), "keys that are notified")
      for (key, value) in values {
        let found = try sample.value(forKey: key)
        claim(
          Conversion.isKept(value, as: found),
          "\(key) is \(valueText(found)) after \(valueText(value)) was set")
        claim(Conversion.isTaken(value, by: key) != false, "\(key) takes \(valueText(value))")
      }
      for (key, value) in received.values {
        claimEqual(
          valueText(value), valueText(try? sample.value(forKey: key)), "received for \(key)")
      }
    } catch {
      claim(error is KeyValueCodingError, "\(error) is another error")
      claim(!"\(error)".isEmpty, "no description")
      claimEqual(received.values.map(\.key), [], "keys that are notified after \(error)")
      claimEqual(state, former, "state after \(error)")
      claim(
        values.contains { Conversion.isTaken($0.value, by: $0.key) != true },
        "\(valueText(values)) could be taken: \(error)")
    }
  }

  private var state: [String] {
    keys.map { "\($0): \(valueText((try? sample.value(forKey: $0)) ?? nil))" }
  }

  /// Every value that was read can be written.
  private func setBack() {
    let values = (try? sample.dictionaryWithValues(forKeys: keys)) ?? [:]
    claimEqual(values.count, keys.count, "values that are read")
    let writable = values.filter { !["sealed", "constant", "computed"].contains($0.key) }
    let former = state
    write(writable) { try sample.setValues($0) }
    claimEqual(state, former, "state after what was read is written")
  }
}
