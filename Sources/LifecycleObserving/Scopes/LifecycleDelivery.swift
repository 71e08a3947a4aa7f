/// When the handler of a scoped observation is called.
///
/// It is called as every other observer by default: before the setter returns (P8). A toolkit may need that
/// to happen later, after the layout during which a value changes and before the frame is painted, say:
///
///     scroller.observe(\.upper, while: .presented, of: page, deliver: .later { work in
///       widget.afterLayout(work)
///     }) { page, change in page.jump() }
///
/// The closure of `later` is called where the handler would be called, once for each change, and calls
/// the work that it is given at a later moment, once, on the same actor or thread. Work for a stay in the span
/// that is over by then does nothing, also if a new one has begun (P85). Changes that are delivered
/// later have no prior notification, and hold the values that they had (P15).
public struct LifecycleDelivery {
  let schedule: ((_ work: @escaping () -> Void) -> Void)?

  /// Before the setter returns.
  public static var immediate: LifecycleDelivery { LifecycleDelivery(schedule: nil) }

  /// When a closure calls the work that it is given.
  ///
  /// - Parameter schedule: Schedules the delivery. It is retained, with its captures, for as long
  ///   as the observation.
  /// - Returns: The delivery.
  public static func later(
    _ schedule: @escaping (_ work: @escaping () -> Void) -> Void
  ) -> LifecycleDelivery {
    LifecycleDelivery(schedule: schedule)
  }
}
