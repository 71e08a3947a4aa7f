/// The set in a property, with members of any type, which are converted to those that it holds.
struct AnySetEditing<Held: Hashable>: SetAccess {
  private let propertySet: PropertySet<Held>
  private let target: ProxyTarget
  private let snapshot = Snapshot()

  init(_ access: CollectionAccess<Set<Held>>, of target: ProxyTarget) {
    propertySet = PropertySet(access: access)
    self.target = target
  }

  var count: Int { propertySet.count }
  var members: Set<AnyHashable> { snapshot.erased(propertySet.members) }

  func member(equalTo other: AnyHashable) -> AnyHashable? {
    losslessly(other.base, as: Held.self).flatMap { propertySet.member(equalTo: $0) }.map {
      AnyHashable($0)
    }
  }

  func edit(_ plan: () -> SetEdit<AnyHashable>) -> Bool {
    var refusal: ProxyRefusal?
    let hasChanged = propertySet.edit {
      refusal = nil
      do throws(ProxyRefusal) {
        let edit = try converted(plan())
        snapshot.forget()
        return edit
      } catch {
        refusal = error
        return SetEdit(.insertion)
      }
    }
    if let refusal { KeyValueDiagnostics.report(refusal.diagnostic) }
    return hasChanged
  }

  private func converted(_ edit: SetEdit<AnyHashable>) throws(ProxyRefusal) -> SetEdit<Held> {
    SetEdit(edit.kind, removed: try converted(edit.removed), added: try converted(edit.added))
  }

  private func converted(_ members: Set<AnyHashable>) throws(ProxyRefusal) -> Set<Held> {
    Set(try target.converted(members.lazy.map(\.base), in: Set<AnyHashable>.self))
  }
}

extension AnySetEditing {
  /// The members of the set as it was read last, converted.
  ///
  /// Two sets with the same members have them in different orders. Iteration by index needs the
  /// same set until it changes.
  private final class Snapshot: @unchecked Sendable {  // `last` is guarded by `lock`
    private let lock = Lock()
    private var last: (set: Set<Held>, erased: Set<AnyHashable>)?

    /// - Complexity: O(1) if the set has not changed, else O(*n*).
    func erased(_ set: Set<Held>) -> Set<AnyHashable> {
      if let last = lock.withLock({ last }), last.set == set { return last.erased }
      let erased = Set(set.lazy.map { AnyHashable($0) })
      replaceLast(by: (set, erased))
      return erased
    }

    /// Gives up the set, so that it can be changed in place.
    func forget() { replaceLast(by: nil) }

    private func replaceLast(by next: (set: Set<Held>, erased: Set<AnyHashable>)?) {
      // The members may be released by this, which must not happen under the lock.
      let former = lock.withLock {
        let former = last
        last = next
        return former
      }
      extendLifetime(former)
    }
  }
}
