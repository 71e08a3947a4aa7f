// P8: a variable that cannot be observed is an error at its declaration, and causes no other.

import KeyValueObserving

@KeyValueObservable
final class Several {
  var width, height: Int  // error: variables 'width', 'height' must be declared on their own
  var x = 1, y = 2  // error: variables 'x', 'y' must be declared on their own
  var (left, right) = (1, 2)  // error: pattern '(left, right)' cannot be observed
  init() { (width, height) = (1, 2) }
}

@KeyValueObservable
final class Untyped {
  var title  // error: type annotation missing in pattern
  init() {}
}

@KeyValueObservable
final class Box<Content: ~Copyable> {
  var count = 0
  var content: Content  // error: property 'content' cannot be observed
  var other: Content?  // error: property 'other' cannot be observed
  let constant: Content
  init(_ content: consuming Content, _ constant: consuming Content) {
    self.content = content
    self.constant = constant
  }
}
