import KeyValueObserving

@KeyValueObservable
final class HiddenTarget {
  var title = "hidden"
}

/// Subclasses in other files do not see the property.
@KeyValueObservable
class HiddenLink {
  fileprivate var target: HiddenTarget?

  init(_ target: HiddenTarget? = nil) { self.target = target }
}
