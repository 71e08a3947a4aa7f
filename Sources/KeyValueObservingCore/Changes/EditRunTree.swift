/// The runs of an array that was edited, in order, found by their positions in the array.
///
/// Adjacent runs are of different kinds, and none is empty. The runs are the nodes of a treap: a binary
/// tree whose nodes have random priorities, none of them greater than its parent's, so that the depth
/// does not depend on the order of the edits.
///
/// - Complexity: An edit that meets *k* of *m* runs takes O((1 + *k*) log *m*) on average.
struct EditRunTree: Sendable {
  private struct Node {
    var run: EditRun
    /// The numbers of elements of all runs in the subtree.
    var formerCount = 0
    var count = 0
    var left = EditRunTree.none
    var right = EditRunTree.none
    let priority: UInt64
  }

  private static let none = -1
  private static let seed = UInt64.random(in: .min ... .max)

  private var nodes: [Node] = []
  private var unusedNodes: [Int] = []
  private var root = none
  private var randomState = seed

  /// - `count`: The length of the array, none of whose elements has been changed.
  init(count: Int) {
    if count > 0 { root = makeNode(.kept(count)) }
  }

  /// The length of the array.
  var count: Int { count(root) }

  /// The number of runs.
  var runCount: Int { nodes.count - unusedNodes.count }

  /// The number of nodes for which there is memory.
  var nodeCapacity: Int { nodes.count }

  /// The number of nodes on the longest way from the root.
  var depth: Int { depth(of: root) }

  private func depth(of node: Int) -> Int {
    if node == EditRunTree.none { return 0 }
    return 1 + max(depth(of: nodes[node].left), depth(of: nodes[node].right))
  }

  /// A run, and the index of its first element before and after the edits.
  struct Position {
    let run: EditRun
    let formerStart: Int
    let start: Int
  }

  /// Changes the runs of a range and inserts a run behind it.
  ///
  /// Runs that overlap the range in part are divided before.
  ///
  /// - `change`: Returns the run that replaces one of the range.
  mutating func edit(
    _ range: Range<Int>, inserting inserted: EditRun = .inserted(0),
    _ change: (EditRun) -> EditRun = { $0 }
  ) {
    let (first, rest) = split(root, at: range.lowerBound)
    let (middle, after) = split(rest, at: range.count)
    var before = first
    move(middle, behind: &before, change)
    append(inserted, to: &before)
    root = join(before, after)
  }

  /// Calls `body` with each run, in order.
  func forEach(_ body: (Position) -> Void) {
    var formerStart = 0
    var start = 0
    func visit(_ node: Int) {
      if node == EditRunTree.none { return }
      visit(nodes[node].left)
      let run = nodes[node].run
      body(Position(run: run, formerStart: formerStart, start: start))
      formerStart += run.formerCount
      start += run.count
      visit(nodes[node].right)
    }
    visit(root)
  }

  // MARK: Nodes

  private func count(_ node: Int) -> Int { node == EditRunTree.none ? 0 : nodes[node].count }

  private func formerCount(_ node: Int) -> Int {
    node == EditRunTree.none ? 0 : nodes[node].formerCount
  }

  private mutating func makeNode(_ run: EditRun) -> Int {
    var node = Node(run: run, priority: makePriority())
    (node.formerCount, node.count) = (run.formerCount, run.count)
    if let unused = unusedNodes.popLast() {
      nodes[unused] = node
      return unused
    }
    nodes.append(node)
    return nodes.count - 1
  }

  /// The next number of the generator that is known as SplitMix64.
  private mutating func makePriority() -> UInt64 {
    randomState &+= 0x9E37_79B9_7F4A_7C15
    var number = randomState
    number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }

  private mutating func updateCounts(of node: Int) {
    let (left, right) = (nodes[node].left, nodes[node].right)
    nodes[node].formerCount =
      formerCount(left) + nodes[node].run.formerCount + formerCount(right)
    nodes[node].count = count(left) + nodes[node].run.count + count(right)
  }

  // MARK: Subtrees

  /// Divides a tree before an index, and the run that the index is inside of.
  ///
  /// Runs without elements whose index is the same are before it.
  private mutating func split(_ node: Int, at index: Int) -> (Int, Int) {
    if node == EditRunTree.none { return (node, node) }
    let start = count(nodes[node].left)
    let end = start + nodes[node].run.count
    if index >= end {
      let (left, right) = split(nodes[node].right, at: index - end)
      nodes[node].right = left
      updateCounts(of: node)
      return (node, right)
    }
    if index <= start {
      let (left, right) = split(nodes[node].left, at: index)
      nodes[node].left = right
      updateCounts(of: node)
      return (left, node)
    }
    let rest = makeNode(nodes[node].run.split(at: index - start))
    let right = nodes[node].right
    nodes[node].right = EditRunTree.none
    updateCounts(of: node)
    return (node, merge(rest, right))
  }

  private mutating func merge(_ left: Int, _ right: Int) -> Int {
    if left == EditRunTree.none { return right }
    if right == EditRunTree.none { return left }
    if nodes[left].priority > nodes[right].priority {
      nodes[left].right = merge(nodes[left].right, right)
      updateCounts(of: left)
      return left
    }
    nodes[right].left = merge(left, nodes[right].left)
    updateCounts(of: right)
    return right
  }

  /// Merges two trees, and the runs where they meet if these are of the same kind.
  private mutating func join(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    if let last = last(of: left), let first = first(of: right),
      nodes[last].run.kind == nodes[first].run.kind
    {
      let run = nodes[first].run
      removeFirst(first, of: &right)
      append(run, to: &left)
    }
    return merge(left, right)
  }

  /// Moves each run of a tree behind another tree, changed.
  private mutating func move(
    _ node: Int, behind tree: inout Int, _ change: (EditRun) -> EditRun
  ) {
    if node == EditRunTree.none { return }
    let (run, left, right) = (nodes[node].run, nodes[node].left, nodes[node].right)
    unusedNodes.append(node)
    move(left, behind: &tree, change)
    append(change(run), to: &tree)
    move(right, behind: &tree, change)
  }

  private mutating func append(_ run: EditRun, to tree: inout Int) {
    if run.isEmpty { return }
    guard let last = last(of: tree), nodes[last].run.kind == run.kind else {
      tree = merge(tree, makeNode(run))
      return
    }
    var node = tree
    while node != EditRunTree.none {
      nodes[node].formerCount += run.formerCount
      nodes[node].count += run.count
      node = nodes[node].right
    }
    nodes[last].run.append(run)
  }

  private mutating func removeFirst(_ first: Int, of tree: inout Int) {
    unusedNodes.append(first)
    let (run, rest) = (nodes[first].run, nodes[first].right)
    if first == tree {
      tree = rest
      return
    }
    var node = tree
    while true {
      nodes[node].formerCount -= run.formerCount
      nodes[node].count -= run.count
      if nodes[node].left == first { break }
      node = nodes[node].left
    }
    nodes[node].left = rest
  }

  private func first(of tree: Int) -> Int? {
    if tree == EditRunTree.none { return nil }
    var node = tree
    while nodes[node].left != EditRunTree.none { node = nodes[node].left }
    return node
  }

  private func last(of tree: Int) -> Int? {
    if tree == EditRunTree.none { return nil }
    var node = tree
    while nodes[node].right != EditRunTree.none { node = nodes[node].right }
    return node
  }
}
