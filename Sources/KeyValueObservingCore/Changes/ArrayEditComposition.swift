/// The edits of an array as one change, with the elements that they remove and replace (P49).
///
/// Only former elements that were removed or replaced are kept. The array is not, so it can be edited
/// in place.
struct ArrayEditComposition<Element> {
  private(set) var edits: EditComposition
  /// The former elements that were removed or replaced.
  private var leftElements = FormerElements<Element>()
  /// The array before all edits; nil if all changes were edits.
  private var formerArray: [Element]?

  /// - `count`: The length of the array before the edits.
  init(count: Int) {
    edits = EditComposition(count: count)
  }

  // MARK: Composing

  /// Adds an edit that is about to be applied.
  ///
  /// - `array`: The array before the edit.
  ///
  /// - Complexity: O(*k* log *m*) on average for an edit of *k* elements, and *m* edits before it.
  mutating func add(_ edit: ArrayEdit<Element>, to array: [Element]) {
    guard edits.isExact else { return }
    guard array.count == edits.count, edit.misfit(count: array.count) == nil else {
      return addSetting(of: array)
    }
    edits.add(edit.edit) { former, index in
      leftElements.append(array[index..<(index + former.count)], at: former.lowerBound)
    }
  }

  /// Adds a change of the array that is no edit, and is about to be made.
  ///
  /// - `array`: The array before the change.
  ///
  /// - Complexity: O(*n*) in the length of the array, once.
  mutating func addSetting(of array: [Element]) {
    guard edits.isExact else { return }
    formerArray = former(of: array)
    edits.addSetting()
    leftElements = FormerElements()
  }

  /// Adds the edits of another composition, which has begun with the present array: those of a nested
  /// transaction.
  ///
  /// - `array`: The array after the edits of the other composition.
  ///
  /// - Complexity: O(*k* log *m*) on average for *k* elements that the other composition has changed,
  ///   and *m* edits before it.
  mutating func add(_ other: ArrayEditComposition, in array: [Element]) {
    guard edits.isExact else { return }
    guard other.edits.isExact, other.edits.formerCount == edits.count else {
      return addSetting(of: other.former(of: array))
    }
    let leaving = other.leftElements.sorted()
    edits.add(other.edits) { former, index in
      leftElements.append(
        leaving.inOrder(at: index..<(index + former.count)), at: former.lowerBound)
    }
  }

  // MARK: Result

  /// The old value of the composed change: the removed or replaced elements, or the whole array if
  /// its kind is `setting`; nil if no former element is concerned.
  ///
  /// - `array`: The array after the edits.
  func oldValue(in array: [Element]) -> [Element]? {
    switch edits.kind {
    case nil, .insertion: nil
    case .removal, .replacement: leftElements.sorted().elements
    case .setting: former(of: array)
    }
  }

  /// The new value of the composed change: the inserted elements or those in place of replaced ones, or
  /// the whole array if its kind is `setting`; nil if the array has no such elements.
  ///
  /// - `array`: The array after the edits.
  func newValue(in array: [Element]) -> [Element]? {
    switch edits.kind {
    case nil, .removal: nil
    case .insertion, .replacement: edits.edit.map { array.elements(at: $0) }
    case .setting: array
    }
  }

  // MARK: Taking back

  /// The array before the edits.
  ///
  /// - `array`: The array after the edits.
  ///
  /// - Complexity: O(*n* + *m* log *m*) in the length of the array and the number of edits.
  func former(of array: [Element]) -> [Element] {
    var former = array
    _ = restore(&former)
    return former
  }

  /// Takes the edits back, in place.
  ///
  /// Returns the elements that leave the array. They must be released when the mutation of the property
  /// has ended, since an object that is deallocated notifies its observers, who may read the property.
  ///
  /// - `array`: The array after the edits.
  ///
  /// - Complexity: O(*m* log *m*) for *m* edits at the end of the array, else O(*n* + *m* log *m*).
  func restore(_ array: inout [Element]) -> [Element] {
    if var formerArray {
      swap(&array, &formerArray)
      return formerArray
    }
    var leaving: [Element] = []
    for edit in inverse {
      if edit.edit.kind != .insertion { leaving += array.elements(at: edit.edit) }
      edit.apply(to: &array)
    }
    return leaving
  }

  /// The edits that take the composed change back, in this order: at most one of each kind.
  private var inverse: [ArrayEdit<Element>] {
    let indexes = edits.indexes
    let leaving = leftElements.sorted()
    let inverse: [ArrayEdit<Element>] = [
      .removal(indexes.inserted),
      .insertion(indexes.removed, leaving.inOrder(at: indexes.removed)),
      .replacement(indexes.replaced, leaving.inOrder(at: indexes.replaced)),
    ]
    return inverse.filter { !$0.edit.isEmpty }
  }
}

extension ArrayEditComposition: Sendable where Element: Sendable {}
