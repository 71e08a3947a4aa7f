import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Board {
  var items = Array(0..<200)
  var count: Int { items.count }
  var tiles: [Tile] = []
}

@KeyValueObservable
private final class Tile {}

/// Keeps its array short.
@KeyValueObservable
private final class Window {
  var items = Array(0..<20) {
    didSet { if items.count > 20 { items.removeFirst() } }
  }
}

private struct Refusal: Error {}

/// Checks that a change which an observer has received leads from one array to another one.
private func check(
  _ change: KeyValueChange<[Int]>, from old: [Int], to new: [Int],
  _ location: SourceLocation = #_sourceLocation
) {
  let indexes = change.indexes ?? RangeSet()
  func without(_ array: [Int]) -> [Int] {
    array.indices.filter { !indexes.contains($0) }.map { array[$0] }
  }
  func only(_ array: [Int]) -> [Int] { indexes.ranges.flatMap { array[$0] } }
  switch change.kind {
  case .setting:
    #expect(change.oldValue == old, sourceLocation: location)
    #expect(change.newValue == new, sourceLocation: location)
  case .insertion:
    #expect(without(new) == old, sourceLocation: location)
    #expect(change.newValue == only(new), sourceLocation: location)
  case .removal:
    #expect(without(old) == new, sourceLocation: location)
    #expect(change.oldValue == only(old), sourceLocation: location)
  case .replacement:
    #expect(without(old) == without(new), sourceLocation: location)
    #expect(change.oldValue == only(old), sourceLocation: location)
    #expect(change.newValue == only(new), sourceLocation: location)
  }
}

@Suite struct ArrayInPlaceTests {
  private let board = Board()
  private var proxy: KeyValueMutableArray<Int> { board.mutableArrayValue(for: \.items) }

  private var address: UnsafeRawPointer? { board.items.withUnsafeBytes { $0.baseAddress } }

  @Test(
    "P49, P50: a transaction does not copy an array that is edited by proxy",
    arguments: [false, true], [false, true])
  func noCopy(isObserved: Bool, isRolledBack: Bool) {
    var changeCount = 0
    let token =
      isObserved
      ? board.observe(\.items, options: [.old, .new]) { _, _ in changeCount += 1 } : nil
    board.items.reserveCapacity(500)
    changeCount = 0
    let (former, formerAddress) = (board.items, address)
    #expect(former.count == 200)
    _ = consume former
    try? withKeyValueTransaction {
      proxy.append(7)
      proxy.insert(8, at: 3)
      proxy.remove(at: 10)
      proxy.replace(at: RangeSet(20..<22), with: [1, 2])
      if isRolledBack { throw Refusal() }
    }
    #expect(address == formerAddress)
    #expect(changeCount == (isObserved && !isRolledBack ? 1 : 0))
    #expect((board.items == Array(0..<200)) == isRolledBack)
    withExtendedLifetime(token) {}
  }

  @Test("P50: after edits by proxy, any other change is rolled back as well")
  func otherChanges() {
    let changes: [(Board) -> Void] = [
      { $0.items = [1] }, { $0.items.removeLast() }, { $0.items.sort(by: >) },
      { board in
        let property = \Board.items
        board.willChangeValue(for: property)
        board.didChangeValue(for: property)
      },
      { board in
        try? withKeyValueTransaction {
          board.mutableArrayValue(for: \.items).removeFirst()
          throw Refusal()
        }
      },
    ]
    for change in changes {
      try? withKeyValueTransaction {
        proxy.append(7)
        proxy.remove(at: 4)
        change(board)
        proxy.insert(9, at: 0)
        throw Refusal()
      }
      #expect(board.items == Array(0..<200))
    }
  }

  @Test("P50: an edit is rolled back together with what didSet has changed then")
  func editChangedByDidSet() {
    let window = Window()
    try? withKeyValueTransaction {
      window.mutableArrayValue(for: \.items).append(77)
      #expect(window.items == Array(1..<20) + [77])
      throw Refusal()
    }
    #expect(window.items == Array(0..<20))
  }

  @Test("P53: after a rollback an observer that was registered between edits starts from there")
  func lateObserver() {
    var received: [KeyValueChange<[Int]>] = []
    var token: KeyValueObservation?
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        proxy.append(7)
        token = board.observe(\.items, options: [.old, .new]) { received.append($1) }
        proxy.append(8)
        throw Refusal()
      }
    }
    #expect(received.map(\.oldValue) == [Array(0..<200) + [7]])
    #expect(received.map(\.newValue) == [Array(0..<200)])
    withExtendedLifetime(token) {}
  }

  @Test("P54: what an edit adds and a rollback removes lives until the end, and is then released")
  func lifetime() {
    weak var added: Tile?
    board.tiles = [Tile()]
    var isAlive = false
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        let tile = Tile()
        added = tile
        board.mutableArrayValue(for: \.tiles).append(tile)
        throw Refusal()
      }
      isAlive = added != nil
    }
    #expect(isAlive)
    #expect(added == nil)
    #expect(board.tiles.count == 1)
  }

  @Test("P44, P49, P50: random edits and sets are delivered exactly, or rolled back")
  func randomPrograms() throws {
    for seed in 0..<400 as Range<UInt64> {
      let board = Board()
      board.items = Array(0..<Int(seed % 40))
      var program = Program(board, seed: seed)
      var received: [KeyValueChange<[Int]>] = []
      let tokens = [
        board.observe(\.items, options: [.old, .new]) { received.append($1) },
        board.observe(\.count) { _, _ in },
      ]
      for _ in 0..<6 {
        let former = board.items
        received = []
        try? withKeyValueTransaction { try program.run(depth: 1) }
        if program.isThrown { #expect(board.items == former, "seed \(seed)") }
        #expect(board.items == program.expected, "seed \(seed)")
        for change in received { check(change, from: former, to: board.items) }
        #expect(received.count <= 1, "seed \(seed)")
        if board.items != former { #expect(received.count == 1, "seed \(seed)") }
      }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("P49: arrays that were edited, and set in that order, take linear time")
  func linearTimeOfEditedArrays() {
    func time(_ count: Int) -> Duration {
      let deposits = (0..<count).map { _ in Deposit() }
      for deposit in deposits { deposit.tags = ["a", "b"] }
      return processorTime {
        withKeyValueTransaction {
          for deposit in deposits { deposit.mutableArrayValue(for: \.tags).append("c") }
          for deposit in deposits { deposit.tags = [] }
        }
      }
    }
    #expect(slowdown(at: 8000, measuring: time) < 10)
  }
}

/// Changes an array at random, in transactions inside of each other, some of which fail.
private struct Program {
  private let board: Board
  private var random: SplitMix
  private(set) var expected: [Int]
  private(set) var isThrown = false

  init(_ board: Board, seed: UInt64) {
    self.board = board
    random = SplitMix(seed: seed)
    expected = board.items
  }

  mutating func run(depth: Int) throws {
    isThrown = false
    let former = expected
    for _ in 0..<Int.random(in: 1...6, using: &random) { step(depth: depth) }
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    expected = former
    isThrown = true
    throw Refusal()
  }

  private mutating func step(depth: Int) {
    let proxy = board.mutableArrayValue(for: \.items)
    let value = Int.random(in: 100...999, using: &random)
    let place = Int.random(in: 0...expected.count, using: &random)
    switch Int.random(in: 0..<13, using: &random) {
    case 0...2:
      proxy.append(value)
      expected.append(value)
    case 3, 4:
      proxy.insert(contentsOf: [value, value + 1], at: place)
      expected.insert(contentsOf: [value, value + 1], at: place)
    case 5 where place < expected.count:
      proxy.remove(at: place)
      expected.remove(at: place)
    case 7 where place < expected.count:
      proxy.replace(at: RangeSet(place..<(place + 1)), with: [value])
      expected[place] = value
    case 8 where place + 1 < expected.count:
      proxy.swapAt(place, expected.count - 1)
      expected.swapAt(place, expected.count - 1)
    case 9:
      let scattered = RangeSet(expected.indices.filter { $0 % 3 == 0 }, within: expected)
      proxy.remove(at: scattered)
      expected.removeSubranges(scattered)
    case 10:
      board.items.append(value)
      expected.append(value)
    case 11 where value % 3 == 0:
      board.items = [value] + expected.suffix(10)
      expected = board.items
    case 12 where depth < 4:
      try? withKeyValueTransaction { try run(depth: depth + 1) }
      isThrown = false
    default: break
    }
  }
}
