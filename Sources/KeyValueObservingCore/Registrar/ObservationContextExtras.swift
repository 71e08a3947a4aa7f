/// The state of contexts whose object is watched, has an associated object, or is the target of a weak
/// property.
///
/// Guarded by the context's lock, so checks for exclusive access would be redundant.
final class ObservationContextExtras {
  weak var subject: AnyObject?
  @exclusivity(unchecked)
  var deallocationKey: ObservedKey?
  @exclusivity(unchecked)
  var associatedObject: AnyObject?
}
