// Registering: a closure or a pipeline is attached to a key, or a pipeline along a key path.

extension KeyValueObservable {
  /// The property that a key path is, if the closure of an observer with these options can be an entry of the
  /// observer list itself, as most can.
  @inlinable
  func propertyTakingClosure<Value>(
    _ known: KnownKeyPath, of _: Value.Type, _ options: KeyValueObservation.Options
  ) -> Unmanaged<ClassProperty>? {
    guard options.isSubset(of: [.initial, .old, .new]), type(of: self) == Self.self,
      let property = known.property,
      property._withUnsafeGuaranteedRef({ $0.takesClosures && $0.property.valueType == Value.self })
    else { return nil }
    return property
  }

  @inlinable
  func attach<Value>(
    _ handler: consuming @escaping (Self, KeyValueChange<Value>) -> Void,
    _ options: KeyValueObservation.Options, to property: Unmanaged<ClassProperty>
  ) -> KeyValueObservation {
    KeyValueObservation(
      calling: AnyHandler(handler), needing: ObserverNeeds(options),
      at: property._withUnsafeGuaranteedRef { .passUnretained($0.property) },
      of: property._withUnsafeGuaranteedRef { $0.owner }, in: keyValueRegistrar.madeContext)
  }

  /// Delivers the initial notification of an observation (P3).
  ///
  /// It is neither filtered nor handed over to an actor, and changes that the handler makes follow
  /// it (P11).
  @inlinable
  func deliverInitial<Value>(
    _ options: KeyValueObservation.Options, noting filter: DistinctFilter<Value>? = nil,
    of token: KeyValueObservation, to handler: (Self, KeyValueChange<Value>) -> Void,
    read: (Self) -> Value?
  ) {
    ThreadState.pauseRecording {
      let value = options.contains(.new) || filter != nil ? read(self) : nil
      // Another thread may have set the property since the filter was made.
      filter?.note(value)
      token.deliverInitial(of: self) {
        handler(self, KeyValueChange(newValue: options.contains(.new) ? value : nil))
      }
    }
  }

  @inlinable
  func register<Value>(
    _ pipeline: consuming ObserverPipeline<Self, Value>, at keyPath: KeyPath<Self, Value>,
    isolation: (any Actor)?
  ) -> KeyValueObservation {
    register(
      pipeline, at: keyPath, KnownKeyPath.of(keyPath, from: Self.self), isolation: isolation)
  }

  // Out of line, so that the registration of a closure at a key is inlined (row: register + end).
  @inlinable
  @inline(never)
  func register<Value>(
    _ pipeline: consuming ObserverPipeline<Self, Value>, at keyPath: KeyPath<Self, Value>,
    _ known: KnownKeyPath, isolation: (any Actor)?
  ) -> KeyValueObservation {
    let options = pipeline.options
    // Before it is copied (row: path of 2, register + end).
    if isolation == nil, options.isDisjoint(with: [.distinct, .initial]) {
      return attach(pipeline, at: keyPath, known)
    }
    // The initial change goes to the closure itself: nothing filters it or hands it over.
    let handler = pipeline.handler
    let filter =
      options.contains(.distinct) ? pipeline.filter(of: self) { $0.presentValue(at: keyPath) } : nil
    if let isolation { pipeline.bind(to: isolation) }
    let token = attach(pipeline, at: keyPath, known)
    if options.contains(.initial) {
      deliverInitial(options, noting: filter, of: token, to: handler) {
        $0.presentValue(at: keyPath)
      }
    }
    return token
  }

  /// Attaches to the key of a single property, by a `KeyObservation`, or along a key path, by a
  /// `KeyPathObservation`.
  ///
  /// Most closures that are attached to a key need neither: see `propertyTakingClosure(_:of:_:)`.
  @inlinable
  func attach<Value>(
    _ pipeline: consuming ObserverPipeline<Self, Value>, at keyPath: KeyPath<Self, Value>,
    _ known: KnownKeyPath
  ) -> KeyValueObservation {
    let (options, completion) = (pipeline.options, pipeline.completion)
    if let property = observedProperty(known) {
      return attach(
        KeyObservation<Self, Value>(
          options: options, handler: pipeline.handler, completion: completion,
          receive: { KeyObservation<Self, Value>.receive($0, $1) }),
        to: property)
    }
    return attach(
      along: keyPath, known, calling: AnyHandler(pipeline.handler), options: options,
      KeyPathObservation.Operations(of: KeyPath<Self, Value>.self), completion: completion)
  }

  func register(
    _ pipeline: ObserverPipeline<Self, Any?>, at path: StringPath, isolation: (any Actor)?
  ) -> KeyValueObservation {
    // The initial change goes to the closure itself: nothing filters it or hands it over.
    let handler = pipeline.handler
    var pipeline = pipeline
    let options = pipeline.options
    let filter =
      options.contains(.distinct) ? pipeline.filter(of: self) { path.value(from: $0) } : nil
    if let isolation { pipeline.bind(to: isolation) }
    let token: KeyValueObservation
    switch path.parts {
    case .property(let property): token = attach(pipeline, to: property)
    case .plan(let plan):
      token = attach(
        KeyPathObservation(
          of: self, along: .string(plan),
          calling: pipeline.handlerOfAnyObject(), options: pipeline.options, operations: .ofString,
          completion: pipeline.completion))
    }
    if options.contains(.initial) {
      deliverInitial(options, noting: filter, of: token, to: handler) { path.value(from: $0) }
    }
    return token
  }

  /// Attaches to a key whose values are received as `Any?`: by a closure in the observer list, if possible.
  private func attach(
    _ pipeline: ObserverPipeline<Self, Any?>, to property: KeyValueProperty
  ) -> KeyValueObservation {
    guard pipeline.completion == nil, pipeline.options.isSubset(of: [.initial, .old, .new]),
      PropertyTable.of(type(of: self)).takesClosures(property)
    else {
      return attach(AnyKeyObservation(property, pipeline), to: property)
    }
    return KeyValueObservation(
      calling: property.handler(erasingFor: pipeline.handler),
      needing: ObserverNeeds(pipeline.options), at: .passUnretained(property), of: type(of: self),
      in: keyValueRegistrar.madeContext)
  }

  /// The property that a key path is, as the class of the object has it: a subclass may have overridden
  /// the one that its superclass lists.
  ///
  /// Nil for a longer key path. Nil too where the subclass has it with another type, `Int` in place
  /// of `Int?`: changes of the key hold values of that type, so who expects the other one reads along
  /// the key path.
  @usableFromInline
  func observedProperty(_ known: KnownKeyPath) -> KeyValueProperty? {
    guard let listed = known.property?._withUnsafeGuaranteedRef({ $0.property }) else { return nil }
    guard type(of: self) != Self.self, let overriding = keyValueProperty(named: listed.name) else {
      return listed
    }
    return overriding.valueType == listed.valueType ? overriding : nil
  }

  /// - `property`: That of the object's own class.
  @usableFromInline
  func attach(_ observation: Registration, to property: KeyValueProperty) -> KeyValueObservation {
    let context = keyValueRegistrar.madeContext
    let token = KeyValueObservation(observation, in: context)
    let table = PropertyTable.of(type(of: self))
    let observedKey = context._withUnsafeGuaranteedRef {
      $0.attach(
        observation, toKey: property.name, $0.observedKey(named: property.name),
        isManual: table.isManual(property.name)
      ).takeUnretainedValue()
    }
    if let source = table.source { observedKey.beginObservance(of: self, as: source) }
    let evaluated = observedKey.compute(
      for: observation,
      by: property.dependsOnOthers(in: self) ? { ComputedKey(property, in: $0, of: self) } : nil)
    if let evaluated { noteUnseenKey(evaluated) }
    if property.kind == .weak {
      WeakTargetObservation.watchValue(of: property, in: observedKey, of: self) {
        KeyValueDiagnostics.report($0.caused(by: [nil]))
      }
    }
    RegistrationWatch.note(
      token, KeyValueRegistration(subject: type(of: self), keyPath: property.key))
    return token
  }

  @usableFromInline
  func attach(
    along keyPath: PartialKeyPath<Self>, _ known: KnownKeyPath,
    calling handler: AnyHandler, options: KeyValueObservation.Options,
    _ operations: consuming KeyPathObservation.Operations, completion: ObservationCompletion?
  ) -> KeyValueObservation {
    attach(
      KeyPathObservation(
        of: self, along: .typed(keyPath, from: Self.self, plan: known.plan), calling: handler,
        options: options, operations: operations, completion: completion))
  }

  func attach(_ observation: KeyPathObservation) -> KeyValueObservation {
    let context = keyValueRegistrar.madeContext
    let token = KeyValueObservation(observation, in: context)
    context._withUnsafeGuaranteedRef { $0.attachToDeallocation(observation) }
    observation.evaluate(isValueUsed: false)
    observation.reportIfNothingIsRead()
    RegistrationWatch.note(
      token, KeyValueRegistration(subject: type(of: self), keyPath: observation.text))
    return token
  }
}
