import Foundation
import KeyValueObservingFoundation

extension Sentence {
  /// The diagnostics of the core.
  static let diagnostics = [
    Sentence(
      "nonConvergence",
      """
      Author.age: observers kept changing the value for 100 iterations, and were not notified of \
      the last one. Guard the assignment in the handler, such as `if value != wanted { … }`.
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.age) { author.age = $0 &+ 1 }
      author.age = 1
      observation.invalidate()
    },
    Sentence(
      "nonConvergence, of a getter",
      """
      Turnstile.turned: what its getter reads was changed in 100 evaluations in a row, by the getter \
      and observers in turn, and the value is that of the last one. Do not set in a getter what it reads.
      """
    ) {
      let turnstile = Turnstile()
      let tokens = [
        turnstile.onChange(of: \.count) { count in
          if !count.isMultiple(of: 2) { turnstile.count = count + 1 }
        },
        turnstile.onChange(of: \.turned) { _ in },
      ]
      for token in tokens { token.invalidate() }
    },
    Sentence(
      "valueWithoutKeys",
      """
      'anything.name': Shelf.anything holds a value of type Int, which has no keys, so the value \
      is nil. Store an object of a @KeyValueObservable class, or end the key path at 'anything'.
      """
    ) {
      let shelf = Shelf()
      let observation = try shelf.onChange("anything.name") {}
      shelf.anything = 1
      shelf.anything = 2
      observation.invalidate()
    },
    Sentence(
      "unobservableClass",
      """
      Agency.agent.name: 'agent' is declared with the class Agent, which is not \
      KeyValueObservable, so the value stays nil. Add @KeyValueObservable to Agent, or store \
      objects of an observable subclass.
      """
    ) {
      try Agency().onChange("agent.name") {}.invalidate()
    },
    Sentence(
      "brokenKeyPath",
      """
      Shelf.anything.@sum.age: the value is nil, because 'anything' holds values of type String, \
      which have no keys. Use a typed key path, or end the key path at 'anything'.
      """
    ) {
      let shelf = Shelf()
      let observation = try shelf.onChange("anything.@sum.age") {}
      shelf.anything = ["text"]
      shelf.anything = ["text", "and more"]
      observation.invalidate()
    },
    Sentence(
      "unobservableKeyPath",
      """
      \\Author.draft: no property on the key path is observable. Observe a property of a \
      @KeyValueObservable class that is not marked with @KeyValueIgnored.
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.draft) { _ in }
      author.draft = "b"
      observation.invalidate()
    },
    Sentence(
      "unobservableKeyPath, computed",
      """
      A key path of Author: no property on the key path is observable. Observe a property of a \
      @KeyValueObservable class that is not marked with @KeyValueIgnored.
      """
    ) { Author().onChange(of: \.summary) { _ in }.invalidate() },
    Sentence(
      "unobservableKeyPath, of a subclass",
      """
      \\Study.desk: no property on the key path is observable. Make sure that Study has \
      @KeyValueObservable, and that the property is not marked with @KeyValueIgnored.
      """
    ) { Study().onChange(of: \.desk) { _ in }.invalidate() },
    Sentence(
      "untrackedRead",
      """
      Job.isDone: the value changed with 'state' but no observer was notified, because the getter \
      of 'state' does not record that it is read. Call keyValueRegistrar.access(_:of:) in that \
      getter, or declare the dependency with @KeyValueDependent(on:).
      """
    ) {
      let job = Job()
      let observation = job.onChange(of: \.isDone) { _ in }
      job.state = 2
      observation.invalidate()
    },
    Sentence(
      "unobservableWeakTarget",
      """
      Author.agent: the property is weak and Agent is not KeyValueObservable, so observers are not \
      notified when the object is deallocated. Add @KeyValueObservable to Agent.
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.agent) { _ in }
      let agent = Agent()
      author.agent = agent
      author.agent = agent
      observation.invalidate()
    },
    Sentence(
      "unknownProperty",
      """
      willChangeValue(forKey: "agee"): Author has no key 'agee', so no observer is notified. Did \
      you mean 'age'?
      """
    ) { Author().willChangeValue(forKey: "agee") },
    Sentence(
      "unknownProperty, typed",
      """
      withMutation(of: \\Author.draft): the key path is not that of an observable property of \
      Author, so no observer is notified. Pass the key path of one of its own properties.
      """
    ) { Author().withMutation(of: \.draft) {} },
    Sentence(
      "unknownProperty, computed",
      """
      withMutation(of:_:): the key path is not that of an observable property of Author, so no \
      observer is notified. Pass the key path of one of its own properties.
      """
    ) { Author().withMutation(of: \.name.count) {} },
    Sentence(
      "unknownDependency",
      """
      Author.signature: the declared dependency 'nmae' is not observed, because Author has no key \
      'nmae'. Did you mean 'name'?
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.signature) { _ in }
      author.withMutation(of: \.signature) { author.books += 1 }
      observation.invalidate()
    },
    Sentence(
      "dependencyOfValue",
      """
      Author.initials: the declared dependency 'editor.name.count' is observed up to 'editor.name' \
      only, because values of type String have no keys. Declare 'editor.name' instead.
      """
    ) {
      let author = Author()
      author.editor = Author()
      let observation = author.onChange(of: \.initials) { _ in }
      author.editor?.name = "Bea"
      author.editor = Author()
      observation.invalidate()
    },
    Sentence(
      "incompatibleElement",
      """
      Shelf.numbers: the mutation has no effect, because 300 cannot be converted to Int8 without \
      loss. Pass elements of type Int8.
      """
    ) { try Shelf().mutableArrayValue(forKey: "numbers").append(300) },
    Sentence(
      "proxyWithoutCollection",
      """
      Shelf.anything: the mutation has no effect, because the property no longer holds a \
      collection but a value of type String. Assign nil or a collection before using the proxy.
      """
    ) {
      let shelf = Shelf()
      let proxy = try shelf.mutableArrayValue(forKey: "anything")
      shelf.anything = "text"
      proxy.append(1)
    },
    Sentence(
      "outdatedIndexes",
      """
      Author.pages: the mutation has no effect, because a prior notification of it changed the \
      array, so that its indexes 2..<3 are out of range (count 0). Do not change an array in a \
      prior notification of its own mutation.
      """
    ) {
      let author = Author()
      var isFirst = true
      let observation = author.observe(\.pages, options: .prior) { author, _ in
        if isFirst {
          isFirst = false
          author.pages = []
        }
      }
      author.mutableArrayValue(for: \.pages).remove(at: 2)
      observation.invalidate()
    },
    Sentence(
      "rejectedMutation",
      """
      Meter.names: the mutation has no effect, because the property has no setter that can be \
      called by key. Change it with the API of the object.
      """
    ) { try Meter().mutableArrayValue(forKey: "names").append("b") },
    Sentence(
      "unrestoredValue",
      """
      Lodger.room: the transaction was rolled back, but the value cannot be put back, so observers \
      are notified of what is there now. Make the property weak instead of unowned, keep the \
      object of a weak one, list a setter for the key, or set it after the transaction.
      """
    ) {
      let (room, study) = (Room(), Study())
      let lodger = Lodger(in: room)
      try? withKeyValueTransaction {
        lodger.room = study
        throw CancellationError()
      }
      withExtendedLifetime((room, study)) {}
    },
    Sentence(
      "unrestoredValue, by a history",
      """
      Bell.rings: the history does not record changes of the property, because its value cannot \
      be put back. List a setter for the key.
      """
    ) {
      let bell = Bell()
      let history = KeyValueHistory(of: bell)
      bell.ring()
      withExtendedLifetime(history) {}
    },
    Sentence(
      "unrestoredValue, of entries",
      """
      Meter: the history records no changes of the object, which has dynamic keys only. Keep values \
      that are to be undone in stored properties of a @KeyValueObservable class.
      """
    ) {
      let history = KeyValueHistory(of: Meter())
      history.record(Meter())
    },
    Sentence(
      "nonConvergence, of a binding",
      """
      Duel.one: the binding to Duel.other was written 100 times for one change, and has ended. Do \
      not set one side in the `didSet` of the other.
      """
    ) {
      let duel = Duel()
      let binding = duel.bind(\.one, to: duel, \.other)
      duel.one = 1
      binding.invalidate()
    },
    Sentence(
      "unconvertedBoundValue",
      """
      Author.name: "old" cannot be converted, so Author.age keeps its value. Let the converter of \
      the binding return a value for it, or validate what is set.
      """
    ) {
      let author = Author()
      let binding = author.bind(
        \.age, to: author, \.name,
        converting: KeyValueConverter(to: { "\($0)" }, from: { Int8($0) }))
      author.name = "old"
      binding.invalidate()
    },
    Sentence(
      "unconvertedBoundValue, by key",
      """
      KeyValueDictionary.age: "old" cannot be converted, so Author.age keeps its value. Let the \
      converter of the binding return a value for it, or validate what is set.
      """
    ) {
      let (form, author): (KeyValueDictionary, Author) = (["age": 36], Author())
      let binding = try form.bind("age", to: author, "age")
      form["age"] = "old"
      binding.invalidate()
    },
    Sentence(
      "rejectedMutation, of a binding",
      """
      Author.age: the value 36 is not written to Meter.level, to which the key is bound, because \
      36 is out of range. Pass a number from 0 to 10.
      """
    ) { try Author().bind("age", to: Meter(), "level").invalidate() },
    Sentence(
      "bindingToItself",
      """
      Author.name: the property is bound to itself, which has no effect. Bind it to another property.
      """
    ) {
      let author = Author()
      author.bind(\.name, to: author, \.name).invalidate()
    },
  ]

  /// The diagnostics of the Foundation-compatible API.
  static let classic = [
    Sentence(
      "observerNotAdded",
      """
      addObserver(_:forKeyPath: "nmae"): Reader is not added, because Author has no key 'nmae'. \
      Did you mean 'name'?
      """
    ) { Author().addObserver(Reader(), forKeyPath: "nmae") },
    Sentence(
      "observerNotRegistered",
      """
      removeObserver(_:forKeyPath: "name"): Reader does not observe this key path of Author with \
      any context. Remove an observer once for each time that it was added, with the same key path \
      and context.
      """
    ) { Author().removeObserver(Reader(), forKeyPath: "name") },
    Sentence(
      "valuesNotSet",
      """
      setValuesForKeys(_:): no value of Author is set, because Author has no key 'nmae'. Did you \
      mean 'name'?
      """
    ) { Author().setValuesForKeys(["name": "Bea", "nmae": "Cid"]) },
    Sentence(
      "incompatibleRepresentation",
      """
      Author.name: a value of type String cannot be read as Mode, so nil is delivered. Read it as \
      String, or conform Mode to KVORepresentable with KVOType == String.
      """
    ) {
      let author = Author()
      let observation = try author.observe("name", as: Mode.self, options: [.new, .old]) { _, _ in }
      author.name = "Bea"
      author.name = "Cid"
      observation.invalidate()
    },
    Sentence(
      "unsupportedDefault",
      """
      ObservableUserDefaults.set(_:forKey: "theme"): a value of type Author cannot be stored in a \
      property list, so the default keeps its value. Pass a string, number, date, URL or data, or \
      an array or dictionary of them.
      """
    ) { ObservableUserDefaults(suiteName: "sentences")?.set(Author(), forKey: "theme") },
    Sentence(
      "unobservableChild",
      """
      ObservableProgress.addChild(_:withPendingUnitCount:): the child of type Progress sends no \
      notifications, so observers of the parent are not notified of its progress. Pass an \
      ObservableProgress.
      """
    ) {
      let progress = ObservableProgress(totalUnitCount: 1)
      progress.addChild(Progress(totalUnitCount: 1), withPendingUnitCount: 1)
    },
  ]
}
