import KeyValueObserving

/// A change somewhere in a graph.
enum Mutation: CaseIterable {
  case rename, note, boss, bossOfBoss, noBoss, homeMoves, newHome, newOwner, friend,
    friendIsDeallocated
  case append, remove, price, priceElsewhere, maker, clearItems, set, optionalItems, shelves
  case tags, counts, owners, entry, nestedEntry, newDocument, anything, anythingBack, stone, frame

  func apply(to graph: Graph) {
    let root = graph.root
    switch self {
    case .rename: root.name += "x"
    case .note: root.note = root.note == nil ? "noted" : nil
    case .boss: root.boss = person("New boss", in: graph)
    case .bossOfBoss: root.boss?.boss = person("Boss of boss", in: graph)
    case .noBoss: root.boss = nil
    case .homeMoves: root.home.city = root.home.city == nil ? "Rome" : nil
    case .newHome:
      root.home = Home()
      graph.adopt(root.home)
    case .newOwner: root.home.owner = root
    case .friend: root.friend = person("New friend", in: graph)
    case .friendIsDeallocated: graph.dropFriend()
    case .append: root.items.append(item(3, in: graph))
    case .remove: _ = root.items.popLast()
    case .price: root.items.first?.price += 1
    case .priceElsewhere: root.boss?.items.first?.price += 1
    case .maker: root.items.first?.maker = root
    case .clearItems: root.items = []
    case .set: root.itemSet.insert(item(4, in: graph))
    case .optionalItems: root.optionalItems.append(nil)
    case .shelves: root.shelves.append([item(5, in: graph)])
    case .tags: root.tags.append("c")
    case .counts: root.counts["c", default: 0] += 1
    case .owners: root.owners["b"] = root
    case .entry: root.document["a"] = 1
    case .nestedEntry: (root.document["a"] as? KeyValueDictionary)?["b"] = "two"
    case .newDocument:
      root.document = KeyValueDictionary(["a": ["b": 3]])
      graph.adopt(root.document)
    case .anything: root.anything = root
    case .anythingBack: root.anything = [1, 2]
    case .stone: root.object = Stone()
    case .frame: root.frame.width += 1
    }
  }

  private func person(_ name: String, in graph: Graph) -> Person {
    let person = Person(name)
    graph.adopt(person)
    return person
  }

  private func item(_ price: Int, in graph: Graph) -> Item {
    let item = Item(price)
    graph.adopt(item)
    return item
  }
}
