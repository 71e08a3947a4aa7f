/// Lets a history record the entries of an object, each from its first change on.
final class HistoryEntryRecorder: EntryRecorder {
  fileprivate weak var history: KeyValueHistory?
  /// The keys of the entries that are recorded.
  private var keys: Set<String>
  /// The number of the first group that begins after this.
  fileprivate let firstGroup: Int

  fileprivate init(for history: KeyValueHistory, recording keys: [String]) {
    self.history = history
    firstGroup = history.groupCount + 1
    self.keys = Set(keys)
  }

  override var isActive: Bool { history != nil }

  override func entryWillChange(_ entry: KeyValueProperty, of subject: any KeyValueObservable) {
    guard let history, keys.insert(entry.key).inserted else { return }
    // Reads for it are no dependencies of a getter that sets the entry.
    ThreadState.pauseRecording {
      history.tokens[ObjectIdentifier(subject), default: []].append(
        history.attach(toEntry: entry, of: subject, since: firstGroup))
    }
  }
}

// Objects with dynamic keys.
extension KeyValueHistory {
  /// Whether the entries of an object are recorded, which may be none.
  func recordsEntries(of object: any KeyValueObservable) -> Bool {
    object.existingContext?._withUnsafeGuaranteedRef { recordsEntries(in: $0) } ?? false
  }

  /// Whether the entries of the object with a context are recorded, and were when a group began.
  func recordsEntries(in context: ObservationContext, since group: Int = .max) -> Bool {
    context.entryRecorders.contains {
      guard let recorder = $0 as? HistoryEntryRecorder else { return false }
      return recorder.history === self && recorder.firstGroup <= group
    }
  }

  /// Attaches to the entries of an object, and to those that come later.
  func attach(toEntriesOf object: some EntryRecording) -> [KeyValueObservation] {
    let keys = object.entryKeys
    let recorder = HistoryEntryRecorder(for: self, recording: keys)
    object.observationContext.add(recorder)
    return keys.compactMap { key in
      object.keyValueProperty(forKey: key).map {
        attach(toEntry: $0, of: object, since: recorder.firstGroup)
      }
    }
  }

  fileprivate func attach(
    toEntry entry: KeyValueProperty, of object: some KeyValueObservable, since firstGroup: Int
  ) -> KeyValueObservation {
    object.attach(
      HistoryRegistration(entry, for: self, since: firstGroup, isEntry: true), to: entry)
  }
}

/// Calls a closure with the observable objects in the entries of an object, if it has any.
func forEachObservableObject(
  inEntriesOf object: any KeyValueObservable, _ body: (any KeyValueObservable) -> Void
) {
  guard let object = object as? any EntryRecording else { return }
  for key in object.entryKeys {
    forEachObservableObject(in: object.keyValueProperty(forKey: key)?.value(of: object), body)
  }
}
