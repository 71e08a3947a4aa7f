// Sources, whose objects notify when the body has ended.
extension Transaction {
  /// The sources whose objects collect notifications, in the order of their first changes.
  struct CollectingSources {
    private var sources: [any KeyValueSource] = []
    private var identities: Set<ObjectIdentifier> = []
    /// Whether others are to collect them too: not once the body has ended.
    var isOpen = true

    var isEmpty: Bool { sources.isEmpty }

    mutating func insert(_ source: any KeyValueSource) -> Bool {
      guard identities.insert(ObjectIdentifier(source)).inserted else { return false }
      sources.append(source)
      return true
    }

    mutating func removeAll() -> [any KeyValueSource] {
      defer { (sources, identities) = ([], []) }
      return sources
    }
  }

  /// Lets the object of a source collect notifications, before its first change.
  func beginCollecting(in subject: some KeyValueObservable) {
    guard collectingSources.isOpen, PropertyTable.of(type(of: subject)).source != nil,
      let source = Self.source(subject), collectingSources.insert(source)
    else { return }
    source.willChangeInTransaction()
  }

  /// Nil for a source whose conformance is isolated to an actor that is not running.
  ///
  /// Only a cast from `Any` looks for that: not one from `AnyObject`, or from a generic type.
  @inline(never)
  private static func source(_ object: Any) -> (any KeyValueSource)? {
    object as? any KeyValueSource
  }

  /// Lets the objects deliver the notifications that they have collected, whose changes the sources report.
  func endCollecting() {
    if collectingSources.isEmpty { return }
    let sources = collectingSources.removeAll()
    // Reads of sources are no dependencies of a getter around the transaction.
    ThreadState.pauseRecording {
      for source in sources { source.didChangeInTransaction() }
    }
  }
}
