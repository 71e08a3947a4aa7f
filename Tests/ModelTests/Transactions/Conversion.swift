import KeyValueObserving

/// How a binding converts values.
enum Conversion: CaseIterable, Hashable, Sendable {
  case none
  case opposite
  /// An odd number does not come back.
  case half
  /// Odd numbers cannot be converted.
  case even

  func convert(_ number: Int) -> Int? {
    switch self {
    case .none: number
    case .opposite: -number
    case .half: number / 2
    case .even: number.isMultiple(of: 2) ? number : nil
    }
  }

  func convertBack(_ number: Int) -> Int? {
    switch self {
    case .none, .even: number
    case .opposite: -number
    case .half: number * 2
    }
  }

  var converter: KeyValueConverter<Int, Int> {
    KeyValueConverter(to: { convert($0) }, from: { convertBack($0) })
  }
}

extension Item {
  /// Binds a property to one of another item; nil where both are the same.
  func bind(_ form: BindingForm, to other: Item) -> KeyValueBinding? {
    let paths = [form.first.path, form.second.path]
    let item: Item = self
    if item === other, paths[0] == paths[1] { return nil }
    if let first = ReferenceWritableKeyPath<Item, Int>.number(paths[0]),
      let second = ReferenceWritableKeyPath<Item, Int>.number(paths[1])
    {
      if form.isOneWay {
        return item.bind(first, to: other, second, .oneWay) { form.conversion.convert($0) }
      }
      if form.conversion == .none { return item.bind(first, to: other, second) }
      return item.bind(first, to: other, second, converting: form.conversion.converter)
    }
    let texts = paths.map { $0.map(\.rawValue).joined(separator: ".") }
    return try? item.bind(texts[0], to: other, texts[1])
  }
}

extension KeyValueBindingGroup<Item> {
  /// Adds a binding of the source to an item.
  func add(_ form: BindingForm, to other: Item) {
    guard let first = ReferenceWritableKeyPath<Item, Int>.number(form.first.path),
      let second = ReferenceWritableKeyPath<Item, Int>.number(form.second.path)
    else { return }
    if form.isOneWay {
      bind(first, to: other, second, .oneWay) { form.conversion.convert($0) }
    } else if form.conversion == .none {
      bind(first, to: other, second)
    } else {
      bind(first, to: other, second, converting: form.conversion.converter)
    }
  }
}

extension ReferenceWritableKeyPath where Root == Item, Value == Int {
  fileprivate static func number(_ path: [ItemKey]) -> ReferenceWritableKeyPath? {
    switch path {
    case [.x]: \.x
    case [.y]: \.y
    case [.level]: \.level
    case [.mark]: \.mark
    default: nil
    }
  }
}
