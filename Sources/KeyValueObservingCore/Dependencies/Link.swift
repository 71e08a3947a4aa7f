/// The attachment of an expression to one of the keys that it read.
final class Link: Attachment {
  let expression: Expression
  /// How the value of the key is the value of the expression, where a change of it can be passed
  /// on without evaluating anything.
  let leaf: LeafValue?
  /// Whether the key leads to the object with the last key of a path. Guarded by the lock of the
  /// expression.
  var isBeforeLast = false
  /// Keeps the slot, which an expression may outlive the object of.
  private let context: Context

  init(_ expression: Expression, to context: Context, leaf: LeafValue?) {
    self.expression = expression
    self.context = context
    self.leaf = leaf
    if leaf == nil {
      super.init(demand: expression.linkDemand, receive: Link.receiveChange)
    } else {
      super.init(demand: expression.leafDemand, receive: Link.receiveLeafChange)
    }
  }

  override var isRegistration: Bool { !expression.isReady }

  func detach() { context.detach(self) }

  override var observation: Attachment { expression }

  private static func receiveLeafChange(
    _ attachment: Attachment, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let link = unsafeDowncast(attachment, to: Link.self)
    guard let leaf = link.leaf, !link.expression.hasEnded else { return link.skip(delivery) }
    switch delivery.pointee.phase {
    case .prior, .after: link.expression.leafChanged(delivery, leaf)
    case .will, .settle, .abandon: break
    }
  }

  private static func receiveChange(
    _ attachment: Attachment, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let link = unsafeDowncast(attachment, to: Link.self)
    let expression = link.expression
    // Its links are detached when an observation ends, but a round that had begun has them still.
    if expression.hasEnded { return link.skip(delivery) }
    switch delivery.pointee.phase {
    case .will: expression.inputWillChange(link, delivery)
    case .prior: expression.deliverPrior(link, delivery)
    case .settle: expression.inputDidChange(delivery)
    case .after: expression.turnCame(delivery)
    case .abandon: expression.abandon(delivery)
    }
  }

  override func skip(_ delivery: UnsafeMutablePointer<Delivery>) {
    switch delivery.pointee.phase {
    case .settle where !expression.hasEnded: expression.inputDidChange(delivery)
    case .after, .abandon: expression.abandon(delivery)
    case .will, .prior, .settle: break
    }
  }
}
