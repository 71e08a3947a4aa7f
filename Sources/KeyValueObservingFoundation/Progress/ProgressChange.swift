#if !canImport(ObjectiveC)
  internal import Foundation

  /// A change of the unit counts of a progress, with what it changes in those that it is a part of.
  ///
  /// Foundation passes on what a child has completed to its ancestors, without any notice. So the
  /// change is made there first, while the getters go on to return the former values; then
  /// observers are notified of what is another value now, and in the middle of that the new values
  /// become visible. Only the getter of `fractionCompleted` cannot be made to return the former
  /// value, so the whole change is made inside one of the fractions. In a transaction, where observers
  /// are called at the end, each property is set on its own.
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
      func change() -> ProgressChange {
        ObservableProgress.lock.withLock { ProgressChange(of: progress, assigning: assigned, body) }
      }
      let lineage =
        changesFraction ? ObservableProgress.lock.withLock { progress.lineageLocked } : []
      if KeyValueRegistrar.isInTransaction(progress) {
        for ancestor in lineage { ancestor.fractionWillChangeInTransaction() }
        var isStored = assigned == nil
        if let assigned { progress.setInTransaction(assigned) { isStored = true } }
        // A set in `didSet` while values are put back is not stored (P50).
        if isStored { change().deliverInTransaction(besides: assigned, of: progress) }
      } else {
        deliverFractions(of: lineage[...]) {
          let change = change()
          change.deliver(change.effects[...])
        }
      }
    }

    private static func deliverFractions(
      of lineage: ArraySlice<ObservableProgress>, _ change: () -> Void
    ) {
      guard let last = lineage.last else { return change() }
      last.setFraction { deliverFractions(of: lineage.dropLast(), change) }
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

    /// Notifies the observers of each property inside the change of those behind it, so that none
    /// is called before the new values are visible.
    private func deliver(_ rest: ArraySlice<Effect>) {
      guard let effect = rest.last else { return show() }
      effect.progress.set(effect.key) { deliver(rest.dropLast()) }
    }

    /// Notifies the observers of each property but one, at the end of the transaction of this thread.
    private func deliverInTransaction(besides key: ProgressKey?, of progress: ObservableProgress) {
      for effect in effects where effect.key != key || effect.progress !== progress {
        effect.progress.setInTransaction(effect.key) {}
      }
      show()
    }

    /// Makes the new values visible.
    private func show() {
      ObservableProgress.lock.withLock {
        for progress in lineage { progress.showLocked(change: id) }
      }
    }
  }
#endif
