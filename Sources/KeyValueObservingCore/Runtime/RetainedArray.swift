/// An array of objects, each of which is retained once: looking at one does not retain it again.
///
/// It keeps its memory when all are removed.
struct RetainedArray<Element: AnyObject>: ~Copyable {
  private var memory = UnsafeMutableBufferPointer<Unmanaged<Element>>(start: nil, count: 0)
  private(set) var count = 0

  deinit {
    for index in 0..<count { memory[index].release() }
    memory.deallocate()
  }

  var isEmpty: Bool { count == 0 }
  var capacity: Int { memory.count }

  subscript(index: Int) -> Unmanaged<Element> { memory[index] }

  var last: Unmanaged<Element>? { count == 0 ? nil : memory[count - 1] }

  func lastIndex(of element: Element) -> Int? {
    let identity = Unmanaged.passUnretained(element).toOpaque()
    return (0..<count).last { memory[$0].toOpaque() == identity }
  }

  mutating func append(_ element: Element) { append(retained: .passRetained(element)) }

  /// Adds an object that is retained for it.
  mutating func append(retained element: Unmanaged<Element>) {
    if count == memory.count { grow() }
    memory.initializeElement(at: count, to: element)
    count += 1
  }

  /// Puts another object in the place of one, and hands that over.
  mutating func replace(at index: Int, by element: Element) -> Unmanaged<Element> {
    let former = memory[index]
    memory[index] = .passRetained(element)
    return former
  }

  /// Puts an object in the place of one that was handed over.
  mutating func move(from index: Int, to place: Int) { memory[place] = memory[index] }

  /// Shortens it to the first objects, when the others have been handed over.
  mutating func shorten(to count: Int) { self.count = count }

  /// Takes out the last object, and hands it over.
  mutating func takeLast() -> Unmanaged<Element> {
    count -= 1
    return memory[count]
  }

  /// Takes out an object, and hands it over.
  mutating func take(at index: Int) -> Unmanaged<Element> {
    let taken = memory[index]
    for place in index..<count - 1 { move(from: place + 1, to: place) }
    count -= 1
    return taken
  }

  /// Releases all, the last first.
  mutating func removeAll() {
    while count > 0 { takeLast().release() }
  }

  @inline(never)
  private mutating func grow() {
    let grown = UnsafeMutableBufferPointer<Unmanaged<Element>>.allocate(
      capacity: max(4, memory.count * 2))
    for index in 0..<count { grown.initializeElement(at: index, to: memory[index]) }
    memory.deallocate()
    memory = grown
  }
}
