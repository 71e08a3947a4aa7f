import KeyValueObserving

// Classes that differ in one thing only: whether they can be observed. `malloc` hands out multiples
// of 16 bytes, so that only the mean of an odd and an even number of words shows a single one.

final class PlainOne {
  var first = 0
}

final class PlainTwo {
  var first = 0
  var second = 0
}

@KeyValueObservable
final class ObservableOne {
  var first = 0
}

@KeyValueObservable
final class ObservableTwo {
  var first = 0
  var second = 0
}
