/// A plain stored property that only this module sees: the limit of what a property can cost.
final class OwnStored {
  var count = 0
}
