// swift-format-ignore-file
import KeyValueObserving

/// A program as `Printer` writes it, which `PrintedProgramTests` compares with what it writes now.
func printed() throws -> Story {
  let story = Story()
  var n0: Node? = story.makeNode()
  var n1: Node? = story.makeNode()
  var n2: Node? = story.makeBranch()
  n0?.next = n1
  story.observe(0) {
    n0?.observe(\.next?.x, options: [.initial, .new, .old]) { _, change in
      switch story.receives(0, change) {
      case 1:
        n1?.x = 2
      case 2:
        try! story.observe(1) {
          try n2?.observe("tags", options: [.initial, .new]) { _, change in
            story.receives(1, change)
          }
        }
      case 3:
        story.end(3)
      default: break
      }
    }
  }
  try story.observe(2) {
    try n1?.observe("friend.next.sum", options: [.new, .old, .prior]) { _, change in
      switch story.receives(2, change) {
      case -1:
        story.end(4)
      default: break
      }
    }
  }
  story.observe(3) {
    n1.map {
      KeyValueObserver(source: $0, keyPath: \.x, options: [.distinct]) { change, _ in
        story.receives(3, change)
      }
    }
  }
  n1?.x = 1
  n1?.x = 1
  n1?.friend = n0
  n1?.withMutation(of: \.y) {
    n1?.y = 1
    n1?.willChangeValue(forKey: "x")
    n1?.x += 2
  }
  n1?.didChangeValue(for: \.x)
  for number in 3..<5 { n1?.y = number }
  if let tags = n2?.mutableArrayValue(for: \.tags) {
    tags.insert(4, at: 3 % (tags.count + 1))
  }
  if let tags = n2?.mutableArrayValue(for: \.tags) {
    if !tags.isEmpty { tags[3 % tags.count] = 5 }
  }
  if let tags = n2?.mutableArrayValue(for: \.tags) {
    if !tags.isEmpty { tags.remove(at: 1 % tags.count) }
  }
  if let tags = n2?.mutableArrayValue(for: \.tags) {
    tags.append(contentsOf: [2, 1])
  }
  if let tags = n2?.mutableArrayValue(for: \.tags) {
    tags.sort()
  }
  if let tags = n2?.mutableArrayValue(for: \.tags) {
    tags.removeAll { $0 == 2 }
  }
  n2?.edit(.insert(6, at: 0), by: .block)
  n2?.edit(.remove(at: 0), by: .pair)
  n2?.tags.append(3)
  try? n2?.tags.append(3, failing: Refusal())
  n2?.tags.removeAll { $0 == 3 }
  (n2 as? Branch)?.bonus = 1
  story.end(2)
  n0?.next = nil
  n1?.friend = nil
  n1 = nil
  n1 = n1 ?? story.makeNode()
  n0 = n0 ?? story.makeNode()
  n2 = n2 ?? story.makeBranch()
  n0?.x = 7
  n0?.y = 8
  n0?.tags = [9]
  n1?.x = 7
  n1?.y = 8
  n1?.tags = [9]
  n2?.x = 7
  n2?.y = 8
  n2?.tags = [9]
  return story
}
