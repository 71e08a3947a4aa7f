// Changes that are not recorded.
extension KeyValueHistory: PausableHistory {
  /// Whether changes are recorded where the program is now.
  var isRecording: Bool { pauses == 0 }

  /// Records nothing until `resume()` is called as often.
  func pause() {
    // Bindings write later what is changed now, which is not recorded either.
    if let transaction = Transaction.current {
      transaction.pausedHistories = (transaction.pausedHistories ?? []) + [self]
    }
    pauses += 1
  }

  func resume() {
    pauses -= 1
    _ = Transaction.current?.pausedHistories?.popLast()
  }
}
