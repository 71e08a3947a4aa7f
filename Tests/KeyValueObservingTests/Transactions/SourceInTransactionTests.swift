import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Limit {
  var value: Double? = 4
}

extension AllTests {
  /// How a source is notified of a transaction.
  @Suite("Sources in transactions")
  struct SourceInTransactionTests {
    private struct Failure: Error {}

    private let source = WidgetSource(["upper": 4.0, "lower": 1.0])
    private let recorder = Recorder()

    private func observe(_ keyPath: String) throws -> KeyValueObservation {
      try source.observe(
        keyPath, options: [.old, .new], changeHandler: recorder.receives(keyPath))
    }

    @Test("P74: a source is notified before its first set, and when the body has ended, once each")
    func onceEach() throws {
      let token = try observe("upper")
      source.onUpdates = { [recorder] in recorder.write($0) }
      withKeyValueTransaction {
        recorder.write("body")
        source["lower"] = 2.0
        withKeyValueTransaction { source["upper"] = 5.0 }
        source["upper"] = 6.0
        recorder.write("body ends")
      }
      #expect(
        recorder.take() == [
          "body", "begin", "end", "begin", "body ends", "end", "upper 4.0→6.0",
        ])
      withKeyValueTransaction(onError: .deliver) { source["lower"] = 3.0 }
      #expect(recorder.take() == ["begin", "end"])
      withExtendedLifetime(token) {}
    }

    @Test("P74: a source is not notified outside a transaction, or of a read")
    func outside() throws {
      let token = try observe("upper")
      source["upper"] = 5.0
      withKeyValueTransaction { _ = source["upper"] }
      #expect(source.takeUpdates() == [])
      withExtendedLifetime(token) {}
    }

    @Test("P74: changes that a source reports when the body has ended belong to the transaction")
    func reported() throws {
      let tokens = try [observe("upper"), observe("lower")]
      source.onUpdates = { [unowned source, recorder] in
        if $0 == "end" { recorder.write("lower is \(source["lower"] ?? "nil")") }
      }
      withKeyValueTransaction {
        source["upper"] = 5.0
        source.widget.change("lower", to: 2.0)
        source.widget.change("lower", to: 3.0)
        #expect(recorder.take() == [])
      }
      #expect(
        recorder.take() == [
          "lower is 3.0", "upper 4.0→5.0", "lower 1.0→3.0",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P74: values that a source reports late are put back, and it is notified around that")
    func takenBack() throws {
      let tokens = try [observe("upper"), observe("lower")]
      var values: [String] = []
      source.onUpdates = { [unowned source] in
        values.append("\($0) \(source.widget.values["upper"]!) \(source.widget.values["lower"]!)")
      }
      #expect(throws: Failure.self) {
        try withKeyValueTransaction {
          source["upper"] = 5.0
          source.widget.change("lower", to: 2.0)
          throw Failure()
        }
      }
      #expect(values == ["begin 4.0 1.0", "end 5.0 2.0", "begin 5.0 2.0", "end 4.0 1.0"])
      #expect(source["upper"] as? Double == 4 && source["lower"] as? Double == 1)
      #expect(recorder.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test("P74: what an object changes when it is notified of values put back is put back too")
    func changedWhilePuttingBack() throws {
      let tokens = try [observe("upper"), observe("lower")]
      var ends = 0
      source.onUpdates = { [unowned source] in
        if $0 == "begin" { return }
        ends += 1
        if ends == 2 { source.widget.change("lower", to: 9.0) }
      }
      #expect(throws: Failure.self) {
        try withKeyValueTransaction {
          source["upper"] = 5.0
          throw Failure()
        }
      }
      #expect(source["upper"] as? Double == 4 && source["lower"] as? Double == 1)
      #expect(recorder.take() == [])
      #expect(ends == 3)
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P18, P74: an object that answers each value put back with a change does not do so for ever")
    func answeringForever() throws {
      let tokens = try [observe("upper"), observe("lower")]
      withKeyValueTransaction {
        source.onUpdates = { [unowned source] in
          if $0 == "end" { source.widget.change("lower", to: Double.random(in: 10..<20)) }
        }
        #expect(throws: Failure.self) {
          try withKeyValueTransaction {
            source["upper"] = 5.0
            throw Failure()
          }
        }
        source.onUpdates = { _ in }
        #expect(source["upper"] as? Double == 4)
        #expect(source.updates.count <= 2 * 101)
        #expect(source.takeUpdates().last == "end")
        source["upper"] = 6.0
        #expect(source.takeUpdates() == ["begin"])
      }
      #expect(source.takeUpdates() == ["end"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P74: a transaction that is rolled back while sources report lets no other collect")
    func rollbackWhileReporting() throws {
      let other = WidgetSource(["upper": 1.0])
      source.onUpdates = { [other] in
        guard $0 == "end" else { return }
        try? withKeyValueTransaction { throw Failure() }
        other["upper"] = 5.0
      }
      withKeyValueTransaction { source["upper"] = 5.0 }
      #expect(source.takeUpdates() == ["begin", "end"])
      #expect(other.takeUpdates() == [] && other["upper"] as? Double == 5)
    }

    @Test("P52, P74: a rollback inside leaves what the object has changed before it")
    func changedBeforeInner() throws {
      let tokens = try [observe("upper"), observe("lower")]
      withKeyValueTransaction {
        source["upper"] = 5.0
        source.widget.change("lower", to: 2.0)
        try? withKeyValueTransaction {
          source["upper"] = 6.0
          throw Failure()
        }
      }
      #expect(recorder.take() == ["upper 4.0→5.0", "lower 1.0→2.0"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P74: a source collects again after an inner transaction was taken back")
    func innerRollback() throws {
      let token = try observe("upper")
      withKeyValueTransaction {
        source["upper"] = 5.0
        try? withKeyValueTransaction {
          source["upper"] = 6.0
          throw Failure()
        }
        #expect(source["upper"] as? Double == 5)
        #expect(source.takeUpdates() == ["begin", "end", "begin", "end", "begin", "end"])
        source["upper"] = 7.0
        #expect(source.takeUpdates() == ["begin"])
      }
      #expect(source.takeUpdates() == ["end"])
      #expect(recorder.take() == ["upper 4.0→7.0"])
      withExtendedLifetime(token) {}
    }

    @Test("P64, P74: bindings write what a source reports late, and it does not collect that")
    func bound() throws {
      let limit = Limit()
      let binding = try source.bind("upper", to: limit, "value")
      let tokens = [
        try observe("lower"),
        limit.observe(\.value, options: [.old, .new], changeHandler: recorder.receives("value")),
      ]
      source.onUpdates = { [unowned source, recorder] update in
        recorder.write(update)
        if update == "end" { source.widget.change("upper", to: 8.0) }
      }
      withKeyValueTransaction {
        source["lower"] = 2.0
        limit.value = 6
      }
      #expect(
        recorder.take() == [
          "begin", "end", "lower 1.0→2.0", "value 4.0→8.0",
        ])
      #expect(source["upper"] as? Double == 8)
      withExtendedLifetime((binding, tokens)) {}
    }
  }
}
