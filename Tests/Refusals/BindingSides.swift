// P63, P66: a side that is written can be set, and values of different types are converted. Key paths that may
// lead through nil are written by their keys, which is found out when they are bound.

import KeyValueObserving

func bind(_ form: Form, to field: Field) throws {
  _ = form.bind(\.summary, to: field, \.text)  // error: call can throw but is not marked with 'try'
  _ = form.bind(\.name, to: field, \.width)  // error: cannot convert value of type
  _ = form.bind(\.name, to: field, \.length, .oneWay)  // error: cannot convert value of type
  _ = form.bind(\.count, to: field, \.text, .oneWay)  // error: cannot convert value of type
  _ = form.bind(\.summary, to: field, \.text, .oneWay)
}

@KeyValueObservable
final class Form {
  var name = ""
  var count = 0
  var summary: String { "\(name): \(count)" }
}

@KeyValueObservable
final class Field {
  var text = ""
  var width = 0.0
  var length: Int { text.count }
}
