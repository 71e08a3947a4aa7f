import KeyValueObserving

@KeyValueObservable
final class LineItem {
  var price = 1
}

@KeyValueObservable
final class Invoice {
  var items = [LineItem(), LineItem()]
  var notes: [String] = []
  var total: Int { items.reduce(0) { $0 + $1.price } }
  var label: String { "total \(total)" }
  var noteCount: Int { notes.count }
}
