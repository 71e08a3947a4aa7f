internal import Foundation

extension IndexSet {
  /// The places that a change of the library names, as Cocoa names them.
  init(places: RangeSet<Int>) {
    self.init()
    for range in places.ranges { insert(integersIn: range) }
  }
}
