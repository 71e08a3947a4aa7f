/// A program with transactions over a few items that are held by numbered variables.
struct TransactionProgram: Hashable, Sendable {
  var traits: Traits
  var steps: [Step]

  /// How many variables there are.
  ///
  /// Each holds an item at first.
  static let variableCount = 4
  /// How many groups a history keeps at most, if it does not keep all.
  static let historyLimit = 2

  static func isBranch(_ variable: Int) -> Bool { variable == variableCount - 1 }

  /// The contents of a program, which decide what can be expected of it.
  struct Traits: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Callbacks change something.
    static let actions = Traits(rawValue: 1)
    /// All items are recorded by a history.
    static let history = Traits(rawValue: 2)
    /// Properties are bound to each other.
    static let bindings = Traits(rawValue: 4)
    /// Items are released.
    static let deallocations = Traits(rawValue: 8)
    /// Pairs of manual notifications are completed in another step than they are begun.
    static let pairs = Traits(rawValue: 16)
    /// Bindings convert values, and some belong to groups, whose sources are replaced.
    static let conversions = Traits(rawValue: 32)
    /// Some changes are not recorded, and groups have names.
    static let names = Traits(rawValue: 64)
    /// Changes of one key that follow each other are one group.
    static let coalescing = Traits(rawValue: 128)
    /// The history keeps few groups.
    static let limit = Traits(rawValue: 256)
  }
}

/// A step that changes the item of a variable, or what observes it.
///
/// Without an item it does nothing.
indirect enum Step: Hashable, Sendable {
  case set(Int, ItemKey, Operand)
  case setByKey(Int, ItemKey, Operand)
  /// `+=` to a number, which is a mutation in place.
  case add(Int, ItemKey, Int)
  /// A mutation of the array in place.
  case append(Int, Int)
  case edit(Int, TagsEdit)
  /// Inserts a member by proxy, or removes it.
  case member(Int, Int, isInserted: Bool)
  case scope(Int, ItemKey, [Step])
  /// A pair of manual notifications around steps.
  case pair(Int, ItemKey, [Step])
  case will(Int, ItemKey)
  case did(Int, ItemKey)
  /// Sets an entry of a dictionary, or removes it.
  case entry(String, Int?)
  case transaction(TransactionForm, [Step])
  /// Throws an error, which leaves the bodies around it.
  case fail
  case observe(Watch)
  case end(observer: Int)
  case make(Int)
  case drop(Int)
  case bind(BindingForm)
  case unbind(Int)
  /// Makes a group of bindings, which has no source.
  case group(Int, [BindingForm])
  /// Sets the source of a group.
  case source(group: Int, Int?)
  case undo
  case redo
  /// Makes changes that are not recorded.
  case unrecorded([Step])
  case nameGroup(String)
  case endCoalescing
  case removeAllGroups
}

struct TransactionForm: Hashable, Sendable {
  /// Whether an error takes the changes back.
  var rollsBack = true
  /// The observers that are not notified.
  var silenced: [Int] = []
  /// Whether an error leaves the body around the transaction as well.
  var passesErrorOn = false
}

struct Watch: Hashable, Sendable {
  var observer: Int
  var root: Int
  var path: [ItemKey]
  var options: Set<Option>
  /// Whether the key path is a string.
  var isString: Bool
  /// Steps that its callback runs, one for each change, the initial one included.
  var actions: [Step] = []

  func wants(_ option: Option) -> Bool { options.contains(option) }
}

struct BindingForm: Hashable, Sendable {
  var number: Int
  /// That of a group has its source in place of the item of a variable.
  var first: Side
  var second: Side
  var conversion = Conversion.none
  var isOneWay = false

  struct Side: Hashable, Sendable {
    var root: Int
    var path: [ItemKey]
  }
}

extension Step {
  /// The steps in it.
  var body: [Step] {
    get {
      switch self {
      case .scope(_, _, let body), .pair(_, _, let body), .transaction(_, let body),
        .unrecorded(let body):
        body
      case .observe(let watch): watch.actions
      default: []
      }
    }
    set {
      switch self {
      case .scope(let variable, let key, _): self = .scope(variable, key, newValue)
      case .pair(let variable, let key, _): self = .pair(variable, key, newValue)
      case .transaction(let form, _): self = .transaction(form, newValue)
      case .unrecorded: self = .unrecorded(newValue)
      case .observe(var watch):
        watch.actions = newValue
        self = .observe(watch)
      default: break
      }
    }
  }

  /// Whether it is a transaction that an error takes back.
  var mayRollBack: Bool {
    if case .transaction(let form, _) = self { form.rollsBack } else { false }
  }

  /// Whether it or a step in it fulfills a condition.
  func contains(_ condition: (Step) -> Bool) -> Bool {
    condition(self) || body.contains { $0.contains(condition) }
  }
}
