import KeyValueObserving
import Testing

@KeyValueObservable
private final class Chart {
  var points: [Int] = []
  var scale = 1
  var summary: String { "\(scale) \(points)" }
}

/// Mutations in place, and mutation blocks, around a transaction and in one.
@Suite struct InPlaceInTransactionTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]
  private let chart = Chart()

  private func observe() -> [KeyValueObservation] {
    [
      chart.observe(\.points, options: options, changeHandler: recorder.receives("points")),
      chart.observe(\.scale, options: options, changeHandler: recorder.receives("scale")),
      chart.observe(\.summary, options: options, changeHandler: recorder.receives("summary")),
    ]
  }

  private func mutate(_ points: inout [Int], _ body: (inout [Int]) -> Void) { body(&points) }

  @Test(
    "P8, P55: a transaction in a mutation in place is delivered at its end, and the mutation behind it"
  )
  func transactionInMutation() {
    let tokens = observe()
    mutate(&chart.points) { points in
      points.append(1)
      withKeyValueTransaction {
        chart.scale = 2
        points.append(2)
        chart.scale = 3
        #expect(recorder.take() == [])
      }
      // A key that reads the mutated property is evaluated when the mutation has ended.
      #expect(recorder.take() == ["scale 1→3"])
      points.append(3)
    }
    #expect(recorder.take() == ["points []→[1, 2, 3]", "summary 1 []→3 [1, 2, 3]"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P50, P55: a mutation in place that has begun before a transaction is not rolled back with it",
    arguments: [false, true])
  func rollbackInMutation(isObserved: Bool) {
    let tokens = isObserved ? observe() : []
    mutate(&chart.points) { points in
      points.append(1)
      try? withKeyValueTransaction {
        chart.scale = 2
        points.append(2)
        throw Refused()
      }
      #expect(recorder.take() == [])
    }
    #expect((chart.points, chart.scale) == ([1, 2], 1))
    let changes = recorder.take()
    #expect(changes.first == (isObserved ? "points []→[1, 2]" : nil))
    // The value behind the transaction is the last one.
    #expect(changes.last == (isObserved ? "summary 1 []→1 [1, 2]" : nil))
    #expect(changes.count == (isObserved ? 2 : 0))
    withExtendedLifetime(tokens) {}
  }

  @Test("P55: nor is a mutation block", arguments: [false, true])
  func rollbackInBlock(isObserved: Bool) {
    let tokens = isObserved ? observe() : []
    chart.withMutation(of: \.scale) {
      chart.scale = 2
      try? withKeyValueTransaction {
        chart.scale = 3
        chart.points = [1]
        throw Refused()
      }
      #expect(chart.scale == 2)
      #expect(recorder.take() == [])
    }
    #expect((chart.points, chart.scale) == ([], 2))
    #expect(recorder.take() == (isObserved ? ["scale 1→2", "summary 1 []→2 []"] : []))
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P17, P19, P55: a block, and a mutation in place, that an error leaves in a transaction are rolled back",
    arguments: [false, true])
  func errorInBlock(isObserved: Bool) {
    let tokens = isObserved ? observe() : []
    func fail(_ points: inout [Int]) throws {
      points.append(1)
      throw Refused()
    }
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        try chart.withMutation(of: \.scale) {
          chart.scale = 2
          throw Refused()
        }
      }
    }
    #expect(throws: Refused.self) { try withKeyValueTransaction { try fail(&chart.points) } }
    #expect((chart.points, chart.scale) == ([], 1))
    #expect(recorder.take() == [])
    chart.scale = 4
    #expect(recorder.take() == (isObserved ? ["scale 1→4", "summary 1 []→4 []"] : []))
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P55: a block whose error the transaction catches is taken back alone, unless errors are delivered",
    arguments: [KeyValueTransactionErrorPolicy.rollBack, .deliver])
  func caughtErrorInBlock(policy: KeyValueTransactionErrorPolicy) {
    let tokens = observe()
    withKeyValueTransaction(onError: policy) {
      chart.points = [1]
      try? chart.withMutation(of: \.scale) {
        chart.scale = 2
        chart.points.append(2)
        throw Refused()
      }
      #expect(recorder.take() == [])
    }
    if policy == .rollBack {
      #expect((chart.points, chart.scale) == ([1], 1))
      #expect(recorder.take() == ["points []→[1]", "summary 1 []→1 [1]"])
    } else {
      #expect((chart.points, chart.scale) == ([1, 2], 2))
      #expect(recorder.take() == ["points []→[1, 2]", "scale 1→2", "summary 1 []→2 [1, 2]"])
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("P49, P55: so is a block that edits elements")
  func caughtErrorInElementBlock() {
    let tokens = observe()
    withKeyValueTransaction {
      chart.mutableArrayValue(for: \.points).append(1)
      try? chart.withMutation(of: \.points, .insertion, at: RangeSet(1..<2)) {
        chart.points.append(2)
        throw Refused()
      }
      chart.withMutation(of: \.points, .insertion, at: RangeSet(1..<2)) { chart.points.append(3) }
    }
    #expect(chart.points == [1, 3])
    #expect(recorder.take() == ["points →[1, 3] insertion [0, 1]", "summary 1 []→1 [1, 3]"])
    withExtendedLifetime(tokens) {}
  }
}
