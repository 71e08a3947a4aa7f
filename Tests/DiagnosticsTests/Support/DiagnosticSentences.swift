import Foundation
import KeyValueObservingFoundation

extension Sentence {
  /// What is survived, and told to the handler.
  static let diagnostics = [
    Sentence(
      "doesNotSettle",
      """
      Author.age was changed by its own observers for 100 rounds without settling. The rounds end \
      here, and those who keep changing it are not called with its final value. Set it in a callback \
      only if its value is not yet the one wanted.
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.age) { author.age = $0 &+ 1 }
      author.age = 1
      observation.invalidate()
    },
    Sentence(
      "unobservableLink",
      """
      The key path 'anything.name' ends at Shelf.anything, and its value is nil: values of type Int \
      have no keys. End the path there, or store an object of a @KeyValueObservable class.
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
      The key path 'agent.name' of Agency is observed, and its value stays nil: the class Agent, whose \
      objects 'agent' holds, is not KeyValueObservable. Write @KeyValueObservable in front of Agent, or \
      store objects of an observable subclass.
      """
    ) {
      try Agency().onChange("agent.name") {}.invalidate()
    },
    Sentence(
      "brokenPath",
      """
      The key path 'anything.@sum.age' of Shelf is observed, and its value is nil until it can be \
      evaluated again. The key path 'anything.@sum.age' cannot run through 'anything': values of \
      type String have no keys. Use a typed key path, or end the path at 'anything'.
      """
    ) {
      let shelf = Shelf()
      let observation = try shelf.onChange("anything.@sum.age") {}
      shelf.anything = ["text"]
      shelf.anything = ["text", "and more"]
      observation.invalidate()
    },
    Sentence(
      "nothingToObserve",
      """
      No change of '\\Author.draft' is told, because it reads nothing that can be observed. Let it run \
      through properties of observable classes that are not @KeyValueIgnored.
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.draft) { _ in }
      author.draft = "b"
      observation.invalidate()
    },
    Sentence(
      "nothingToObserve, computed",
      """
      No change of a key path of Author is told, because it reads nothing that can be observed. Let \
      it run through properties of observable classes that are not @KeyValueIgnored.
      """
    ) { Author().onChange(of: \.summary) { _ in }.invalidate() },
    Sentence(
      "unseenChange",
      """
      Job.isDone changed with 'state', and its observers were not notified, because its getter reads \
      nothing that can be observed. Call keyValueRegistrar.access(_:of:) in the getter of 'state', or \
      declare the dependency with @KeyValueDependent(on:).
      """
    ) {
      let job = Job()
      let observation = job.onChange(of: \.isDone) { _ in }
      job.state = 2
      observation.invalidate()
    },
    Sentence(
      "unobservableTarget",
      """
      The weak property Author.agent holds objects of the class Agent, which is not \
      KeyValueObservable, so that their death is not told to observers. Write @KeyValueObservable in \
      front of Agent.
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
      "notAProperty",
      """
      A change of Author was posted manually for 'agee', which is not one of its properties, so no \
      observer is notified. Post it for one of its keys, on the object that has it.
      """
    ) { Author().willChangeValue(forKey: "agee") },
    Sentence(
      "notAProperty, typed",
      """
      A change of Author was posted manually for '\\Author.draft', which is not one of its properties, \
      so no observer is notified. Post it for one of its keys, on the object that has it.
      """
    ) { Author().withMutation(of: \.draft) {} },
    Sentence(
      "notAProperty, computed",
      """
      A change of Author was posted manually for a key path of Author, which is not one of its \
      properties, so no observer is notified. Post it for one of its keys, on the object that has it.
      """
    ) { Author().withMutation(of: \.name.count) {} },
    Sentence(
      "unknownDependency",
      """
      Author declares that 'signature' depends on 'nmae', of which changes are not seen. Author has \
      no key 'nmae'. Did you mean 'name'?
      """
    ) {
      let author = Author()
      let observation = author.onChange(of: \.signature) { _ in }
      author.withMutation(of: \.signature) { author.books += 1 }
      observation.invalidate()
    },
    Sentence(
      "endingDependency",
      """
      Author declares that 'initials' depends on 'editor.name.count', of which changes are seen up to \
      'editor.name' only: values of type String have no keys that can be declared. End the key path \
      at 'editor.name'; what the getter reads behind it is found.
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
      "unacceptableMember",
      """
      An edit of the proxy for Shelf.numbers changed nothing: 300 does not become a value of type \
      Int8 without loss. Convert it first.
      """
    ) { try Shelf().mutableArrayValue(forKey: "numbers").append(300) },
    Sentence(
      "unfitForProxy",
      """
      An edit of the proxy for Shelf.anything changed nothing: it holds a value of type String by \
      now. Set it to nil or to a collection like the one for which the proxy was made.
      """
    ) {
      let shelf = Shelf()
      let proxy = try shelf.mutableArrayValue(forKey: "anything")
      shelf.anything = "text"
      proxy.append(1)
    },
    Sentence(
      "outdatedEdit",
      """
      An edit of the proxy for Author.pages changed nothing: it is for the indexes 2..<3, but the array \
      has 0 elements since it was changed in a prior notification of the edit. Do not change an array \
      in prior notifications of its own edits.
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
      "refusedEdit",
      """
      An edit of the proxy for Meter.names changed nothing: the setter of the key has thrown. \
      Meter.names is read-only. Make its setter accessible, or set it in the class.
      """
    ) { try Meter().mutableArrayValue(forKey: "names").append("b") },
  ]

  /// What is reported by the spellings of Cocoa.
  static let classic = [
    Sentence(
      "observerNotAdded",
      """
      Reader cannot observe 'nmae' of Author, so it was not added. Author has no key 'nmae'. Did you \
      mean 'name'?
      """
    ) { Author().addObserver(Reader(), forKeyPath: "nmae") },
    Sentence(
      "observerNotRemoved",
      """
      Reader cannot be removed from 'name' of Author, because it is not registered there with any \
      context. Remove an observer once for each time that it was added, with the same key path and \
      context.
      """
    ) { Author().removeObserver(Reader(), forKeyPath: "name") },
    Sentence(
      "valuesNotSet",
      """
      setValuesForKeys(_:) of Author: no value was set. Author has no key 'nmae'. Did you mean 'name'?
      """
    ) { Author().setValuesForKeys(["name": "Bea", "nmae": "Cid"]) },
    Sentence(
      "unrepresentable",
      """
      'name' of Author holds a value of type String, of which none of type Mode can be made, so it \
      reads as nil. Read it as String, or let Mode conform to KVORepresentable with that KVOType.
      """
    ) {
      let author = Author()
      let observation = try author.observe("name", as: Mode.self, options: [.new, .old]) { _, _ in }
      author.name = "Bea"
      author.name = "Cid"
      observation.invalidate()
    },
    Sentence(
      "notStored",
      """
      'theme' of ObservableUserDefaults cannot be set to a value of type Author, which is not a \
      property list type, so it keeps its value. Set strings, numbers, dates, data, URLs, or arrays \
      and dictionaries of them.
      """
    ) { ObservableUserDefaults(suiteName: "sentences")?.set(Author(), forKey: "theme") },
    Sentence(
      "childNotObservable",
      """
      Progress is a child of ObservableProgress but sends no notifications, so observers of the \
      parent are not notified of its progress. Make it an ObservableProgress.
      """
    ) {
      let progress = ObservableProgress(totalUnitCount: 1)
      progress.addChild(Progress(totalUnitCount: 1), withPendingUnitCount: 1)
    },
  ]
}
