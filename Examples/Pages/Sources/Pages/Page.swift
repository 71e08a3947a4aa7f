import KeyValueObserving

/// One page: a planet under a title that can be edited.
@KeyValueObservable
@MainActor
final class Page {
  var title: String
  let planet: Planet

  init(_ planet: Planet) {
    title = planet.name
    self.planet = planet
  }
}
