internal import CKeyValueObserving

extension DeferredEvaluations {
  /// Evaluates all, before the first of their observers is called: each sees all new values (P24).
  func evaluate() {
    inSeries { for evaluation in evaluations { evaluation.evaluate() } }
  }

  /// Delivers their changes.
  func deliver() {
    inSeries { for evaluation in evaluations { evaluation.deliver?() } }
  }

  /// Runs `body`, in which getters that are evaluated may set something before the first change is delivered.
  func inSeries(_ body: () -> Void) {
    if evaluations.isEmpty { return }
    ThreadState.pauseRecording { ThreadState.current.withSeries(body) }
  }
}
