// Behaviors of param, from `tests/testwatch.py`: batches, discarded events, and triggers.
//
// Not ours: one call for a batch of several properties; `onChange(of:_:)` is called for each that
// has changed, but all values are there at the first call (P24). Watchers have no precedence, but
// the order of their registration (P10), and are not registered on classes. An equal value is
// delivered, and `distinct` drops it (P9, P45). Attributes of properties, such as bounds, cannot be
// observed, and there are no properties that reset themselves.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Parameters {
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var link = 0
  var values: [Int] { [a, b, c, d] }
}

extension PeerBehavior {
  @Suite struct ParamBatches {
    private let journal = Journal()
    private let parameters = Parameters()

    @Test("P24, P46: a closure for several properties is called for each, when all are set")
    func batch() {
      parameters.onChange(of: \.a, \.b) { journal.write("\(parameters.values)") }
        .store(in: &journal.tokens)
      parameters.onChange(of: \.c) { journal.write("c \($0)") }.store(in: &journal.tokens)
      withKeyValueTransaction {
        parameters.a = 23
        parameters.b = 42
        parameters.c = 99
      }
      #expect(journal.take() == ["[23, 42, 99, 0]", "[23, 42, 99, 0]", "c 99"])
    }

    @Test("P46: one observation of a computed key receives a batch as one change")
    func batchOfComputedKey() {
      journal.follow(parameters, \.values)
      withKeyValueTransaction {
        parameters.a = 2
        parameters.b = 3
      }
      #expect(journal.take() == ["values [0, 0, 0, 0]→[2, 3, 0, 0]"])
      parameters.a = 4
      parameters.b = 5
      #expect(
        journal.take() == [
          "values [2, 3, 0, 0]→[4, 3, 0, 0]", "values [4, 3, 0, 0]→[4, 5, 0, 0]",
        ])
    }

    @Test("P43, P46: values that are set by key in a batch are a part of it")
    func setByKeys() throws {
      journal.follow(parameters, \.a)
      journal.follow(parameters, \.b)
      journal.follow(parameters, \.values)
      try withKeyValueTransaction {
        parameters.a = 1
        try parameters.setValues(["a": 10, "b": 12])
        #expect(journal.take() == [])
      }
      #expect(journal.take() == ["a 0→10", "b 0→12", "values [0, 0, 0, 0]→[10, 12, 0, 0]"])
    }

    @Test("P48: a batch that a callback makes is delivered after the one that it received")
    func nestedBatch() {
      for keyPath in [\Parameters.a, \.b, \.c, \.d] { journal.follow(parameters, keyPath) }
      parameters.onChange(of: \.b) { _ in
        withKeyValueTransaction {
          parameters.c = 10
          parameters.d = 12
        }
      }.store(in: &journal.tokens)
      withKeyValueTransaction {
        parameters.b = 23
        parameters.c = 42
      }
      #expect(journal.take() == ["b 0→23", "d 0→12", "c 0→42", "c 42→10"])
      #expect(parameters.values == [0, 23, 10, 12])
    }

    @Test("P12, P48: a set in a callback notifies an observer of both properties once more")
    func nestedSet() {
      parameters.onChange(of: \.a, \.c) { journal.write("\(parameters.values)") }
        .store(in: &journal.tokens)
      parameters.onChange(of: \.a) { _ in parameters.c = 3 }.store(in: &journal.tokens)
      withKeyValueTransaction { parameters.a = 2 }
      #expect(journal.take() == ["[2, 0, 0, 0]", "[2, 0, 3, 0]"])
    }

    @Test("P9, P45: equal values are changes, which `distinct` drops")
    func equalValues() {
      journal.follow(parameters, \.b)
      journal.follow(parameters, \.b, as: "distinct", [.old, .new, .distinct])
      withKeyValueTransaction {
        parameters.b = 0
        parameters.c = 0
      }
      #expect(journal.take() == ["b 0→0"])
      withKeyValueTransaction { parameters.b = 1 }
      withKeyValueTransaction { parameters.b = 1 }
      #expect(journal.take() == ["b 0→1", "distinct 0→1", "b 1→1"])
    }

    @Test("P57: discarded changes are not delivered later")
    func discarded() {
      let token = journal.follow(parameters, \.a, as: "discarding")
      journal.follow(parameters, \.a)
      withKeyValueTransaction(withoutNotifying: [token]) { parameters.a = 1 }
      #expect(journal.take() == ["a 0→1"])
      parameters.a = 2
      #expect(journal.take() == ["discarding 1→2", "a 1→2"])
    }

    @Test("P19, P45: a property that is only notified manually in a batch changes once")
    func trigger() {
      journal.follow(parameters, \.a)
      withKeyValueTransaction {
        parameters.withMutation(of: \.a) {}
        parameters.willChangeValue(for: \.a)
        parameters.didChangeValue(for: \.a)
      }
      #expect(journal.take() == ["a 0→0"])
      parameters.a = 42
      parameters.withMutation(of: \.a) {}
      #expect(journal.take() == ["a 0→42", "a 42→42"])
    }

    @Test("P11, P48: a callback that limits a value, and one that copies it, end with one value")
    func clipping() {
      parameters.onChange(of: \.a) { if $0 > 3 { parameters.a = 3 } }.store(in: &journal.tokens)
      parameters.onChange(of: \.a) { parameters.link = $0 }.store(in: &journal.tokens)
      journal.follow(parameters, \.link)
      withKeyValueTransaction { parameters.a = 4 }
      #expect(parameters.a == 3)
      #expect(parameters.link == 3)
      #expect(journal.take() == ["link 0→4", "link 4→3"])
    }
  }
}
