#if !canImport(ObjectiveC)
  internal import Foundation

  /// A change of the unit counts of a progress, with what it changes in those that it is a part of.
  ///
  /// Foundation passes on what a child has completed to its ancestors, without any notice. So the
  /// change is made there first, while the getters go on to return the former values; then the
  /// properties that have another value now are set, and the new values become visible. Only the
  /// getter of `fractionCompleted` cannot be made to return the former value, so the fractions are set
  /// before. All of it is a transaction, so that observers are called at its end.
  struct ProgressChange {
    /// A property that has another value after the change.
    private struct Effect {
      let progress: ObservableProgress
      let key: ProgressKey
    }

    private let id: UInt64
    private let effects: [Effect]
    /// The progress and its ancestors.
    private let lineage: [ObservableProgress]

    /// Makes a change and notifies the observers.
    ///
    /// - `assigned`: The property that is set, whose observers are notified in any case (P9).
    /// - `changesFraction`: Whether the fraction changes as well, and those of the ancestors.
    /// - `body`: Changes the unit counts, without notifying anything.
    static func make(
      of progress: ObservableProgress, assigning assigned: ProgressKey? = nil,
      changesFraction: Bool, _ body: () -> Void
    ) {
      withKeyValueTransaction(onError: .deliver) {
        // A set in `didSet` while values are put back is not stored (P50).
        var isStored = assigned == nil
        if let assigned { progress.set(assigned) { isStored = true } }
        if changesFraction {
          for ancestor in ObservableProgress.lock.withLock({ progress.lineageLocked }) {
            ancestor.fractionWillChange()
          }
        }
        guard isStored else { return }
        let change = ObservableProgress.lock.withLock {
          ProgressChange(of: progress, assigning: assigned, body)
        }
        change.setProperties(besides: assigned, of: progress)
        change.show()
      }
    }

    private init(
      of progress: ObservableProgress, assigning assigned: ProgressKey?, _ body: () -> Void
    ) {
      lineage = progress.lineageLocked
      let formers = lineage.map(\.foundationValuesLocked)
      body()
      id = ObservableProgress.nextChangeLocked()
      effects = zip(lineage, formers).flatMap { ancestor, former in
        let values = ancestor.foundationValuesLocked
        return ProgressKey.allCases.filter {
          !$0.isEqual(former, values) || ancestor === progress && $0 == assigned
        }.map { Effect(progress: ancestor, key: $0) }
      }
      for (ancestor, former) in zip(lineage, formers) {
        ancestor.hideLocked(change: id, former: former)
      }
    }

    /// Sets each property that has another value, but for one that has been set.
    private func setProperties(besides key: ProgressKey?, of progress: ObservableProgress) {
      for effect in effects where effect.key != key || effect.progress !== progress {
        effect.progress.set(effect.key) {}
      }
    }

    /// Makes the new values visible.
    private func show() {
      ObservableProgress.lock.withLock {
        for progress in lineage { progress.showLocked(change: id) }
      }
    }
  }
#endif
