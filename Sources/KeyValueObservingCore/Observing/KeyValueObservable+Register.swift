// How every surface registers: a closure or a sink is attached to a key, or a sink along a path.

extension KeyValueObservable {
  /// The property at a key path, if an observer with these options needs nothing but to be called
  /// after each assignment, as most do.
  ///
  /// Its closure can then stand in the audience itself.
  @inlinable
  func plainProperty<Value>(
    at keyPath: KeyPath<Self, Value>, _ options: KeyValueObservation.Options
  ) -> Unmanaged<KnownKeyPath>? {
    guard options.isSubset(of: [.initial, .old, .new]), type(of: self) == Self.self else {
      return nil
    }
    return PropertyTable.plainProperty(at: keyPath, of: Self.self)
  }

  @inlinable
  func attach<Value>(
    _ handler: consuming @escaping (Self, KeyValueChange<Value>) -> Void,
    _ options: KeyValueObservation.Options, to property: Unmanaged<KnownKeyPath>
  ) -> KeyValueObservation {
    KeyValueObservation(
      calling: ErasedHandler(handler), demanding: Demand(options),
      by: FanOut { $0.fanOut(Value.self) }, at: property, in: keyValueRegistrar.madeContext)
  }

  /// Delivers the initial notification of an observation (P3).
  ///
  /// It is neither filtered nor handed over to an actor, and changes that the handler makes follow
  /// it (P11).
  @inlinable
  func deliverInitial<Value>(
    of keyPath: KeyPath<Self, Value>, _ options: KeyValueObservation.Options,
    noting filter: DistinctFilter<Value>? = nil, of token: KeyValueObservation,
    to handler: (Self, KeyValueChange<Value>) -> Void
  ) {
    KeyValueRegistrar.untracked {
      let value = options.contains(.new) || filter != nil ? self[keyPath: keyPath] : nil
      // Another thread may have set the property since the filter was made.
      if let filter, let value { filter.heard(value) }
      token.deliverInitial(of: self) {
        handler(self, KeyValueChange(newValue: options.contains(.new) ? value : nil))
      }
    }
  }

  @inlinable
  func register<Value>(
    _ sink: Sink<Self, Value>, at keyPath: KeyPath<Self, Value>, isolation: (any Actor)?
  ) -> KeyValueObservation {
    let handler = sink.handler
    var sink = sink
    let options = sink.options
    let filter =
      options.contains(.distinct)
      ? sink.filter(startingAt: KeyValueRegistrar.untracked { self[keyPath: keyPath] }) : nil
    if let isolation { sink.bind(to: isolation) }
    let token: KeyValueObservation
    if let property = property(at: keyPath) {
      token = attach(
        KeyObservation<Self, Value>(
          options: sink.options, handler: sink.handler, aftermath: sink.aftermath,
          receive: { KeyObservation<Self, Value>.receive($0, $1) }),
        to: property)
    } else {
      let bound = sink
      token = attach(
        along: keyPath, options: sink.options,
        PathObservation.Operations(
          compute: { ValueBox(unsafeDowncast($0, to: Self.self)[keyPath: keyPath]) },
          box: { ValueBox($0.assumingMemoryBound(to: Value.self).pointee) },
          hear: { bound.send($0, $1, $2, isPrior: $3) }),
        aftermath: sink.aftermath)
    }
    if options.contains(.initial) {
      deliverInitial(of: keyPath, options, noting: filter, of: token, to: handler)
    }
    return token
  }

  func register(
    _ sink: Sink<Self, Any?>, at path: StringPath, isolation: (any Actor)?
  ) -> KeyValueObservation {
    // The initial change goes to the closure itself: nothing filters it or hands it over.
    let tellInitially = sink.handler
    var sink = sink
    let options = sink.options
    func value() -> Any? {
      KeyValueRegistrar.untracked { KeyPathWalk.value(along: path.parsed, from: self) }
    }
    let filter = options.contains(.distinct) ? sink.filter(startingAt: value()) : nil
    if let isolation { sink.bind(to: isolation) }
    let token: KeyValueObservation
    if let property = path.onlyProperty {
      token = attach(ErasedKeyObservation(property, sink), to: property)
    } else {
      let bound = sink
      let parsed = path.parsed
      token = attach(
        along: .string(path), options: sink.options,
        PathObservation.Operations(
          compute: {
            let subject = unsafeDowncast($0, to: Self.self)
            return ValueBox<Any?>(KeyPathWalk.value(along: parsed, from: subject))
          },
          box: { ValueBox($0.assumingMemoryBound(to: Any?.self).pointee) },
          hear: { bound.sendErased($0, $1, $2, isPrior: $3) }),
        aftermath: sink.aftermath)
    }
    if options.contains(.initial) {
      let value: Any?? = options.contains(.new) || filter != nil ? .some(value()) : nil
      if let filter, let value { filter.heard(value) }
      KeyValueRegistrar.untracked {
        token.deliverInitial(of: self) {
          tellInitially(self, KeyValueChange(newValue: options.contains(.new) ? value : nil))
        }
      }
    }
    return token
  }

  /// The property at a key path as the class of the object has it: a subclass may have overridden
  /// the one that its superclass lists.
  ///
  /// Nil for a longer key path. Nil too where the subclass has it with another type, `Int` in place
  /// of `Int?`: changes of the key hold values of that type, so who expects the other one reads along
  /// the key path.
  @usableFromInline
  func property(at keyPath: PartialKeyPath<Self>) -> KeyValueProperty? {
    guard let listed = PropertyTable.property(at: keyPath, of: Self.self) else { return nil }
    guard type(of: self) != Self.self, let own = keyValueProperty(named: listed.name) else {
      return listed
    }
    return own.valueType == listed.valueType ? own : nil
  }

  /// - `property`: That of the object's own class.
  @usableFromInline
  func attach(_ observation: Attachment, to property: KeyValueProperty) -> KeyValueObservation {
    let context = observationContext
    let token = KeyValueObservation(observation, in: context)
    let table = PropertyTable.of(type(of: self))
    let (slot, unready) = context.attach(
      observation, toKey: property.name, isManual: table.isManual(property.name),
      dependentKey: property.dependsOnOthers(in: self)
        ? { DependentKey(property, in: $0, of: self) } : nil)
    if let source = table.source { slot.beginObservance(of: self, as: source) }
    if observation.demand.contains(.prior) { slot.requestPriors() }
    unready?.evaluate()
    if let unready { noteUnseenKey(unready) }
    if property.kind == .weak {
      let target = KeyValueRegistrar.untracked { property.value(of: self) }.map { $0 as AnyObject }
      if let report = property.silentDeaths(of: target, in: self) {
        KeyValueDiagnostics.report(report.caused(by: [nil]))
      }
      DeathWatch.watchValue(of: property, in: slot, of: self)
    }
    RegistrationWatch.note(
      token, KeyValueRegistration(subject: type(of: self), keyPath: property.key))
    return token
  }

  @usableFromInline
  func attach(
    along keyPath: PartialKeyPath<Self>, options: KeyValueObservation.Options,
    _ operations: consuming PathObservation.Operations, aftermath: Aftermath?
  ) -> KeyValueObservation {
    attach(
      along: .typed(keyPath, from: Self.self), options: options, operations, aftermath: aftermath)
  }

  /// - `isObserved`: Whether an observer receives changes; otherwise only the objects on the path
  ///   are of interest.
  func attach(
    along source: PathSource, isObserved: Bool = true, options: KeyValueObservation.Options,
    _ operations: consuming PathObservation.Operations, aftermath: Aftermath?
  ) -> KeyValueObservation {
    let observation = PathObservation(
      of: self, along: source, options: options, operations: operations, aftermath: aftermath)
    let context = observationContext
    let token = KeyValueObservation(observation, in: context)
    _ = context.attach(observation, to: context.makeExtent())
    observation.evaluate()
    if isObserved { observation.reportIfNothingIsRead() }
    RegistrationWatch.note(
      token,
      KeyValueRegistration(
        subject: type(of: self), keyPath: source.knownPath?.text ?? source.text))
    return token
  }
}
