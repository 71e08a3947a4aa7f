import Testing

@testable import KvoCommand

@Suite struct InvocationTests {
  @Test func `Options may stand anywhere`() throws {
    let request = WatchRequest(file: "a.json", keyPaths: ["b", "c.d"], isJSON: true, isOnce: true)
    for arguments in [
      ["watch", "--json", "--once", "a.json", "b", "c.d"],
      ["--once", "watch", "a.json", "--json", "b", "c.d"],
      ["watch", "a.json", "b", "c.d", "--once", "--json"],
    ] {
      #expect(try Invocation(arguments) == .watch(request))
    }
  }

  @Test func `Two dashes end the options`() throws {
    let request = WatchRequest(file: "--json", keyPaths: ["-h", "--"], isOnce: true)
    #expect(try Invocation(["watch", "--once", "--", "--json", "-h", "--"]) == .watch(request))
  }

  @Test(arguments: [["--help"], ["-h"], ["watch", "--help"], ["tour", "--nonsense", "-h"]])
  func `Help is given wherever it is asked for`(arguments: [String]) throws {
    #expect(try Invocation(arguments) == .help)
  }

  @Test func `The version and the tour are commands of their own`() throws {
    #expect(try Invocation(["--version"]) == .version)
    #expect(try Invocation(["tour"]) == .tour)
  }

  @Test func `The arguments of a port are those of another executable`() throws {
    #expect(try Invocation(["port", "--help", "a"]) == .port(["--help", "a"]))
    #expect(try Invocation(["port"]) == .port([]))
    #expect(
      try Invocation(["watch", "port", "a"]) == .watch(WatchRequest(file: "port", keyPaths: ["a"])))
  }

  @Test(arguments: [
    ([], "a command is missing, watch, tour or port."),
    (["wacth"], "there is no command 'wacth'. Did you mean 'watch'?"),
    (["dance"], "there is no command 'dance'."),
    (["watch"], "watch needs the file to watch, and a key path."),
    (["watch", ""], "watch needs the file to watch, and a key path."),
    (["watch", "a.json"], "watch needs a key path to watch in 'a.json'."),
    (["watch", "a", "b", "--jsno"], "watch has no option '--jsno'. Did you mean '--json'?"),
    (["tour", "--json"], "tour has no option '--json'."),
    (["tour", "Paris"], "tour takes no arguments, found 'Paris'."),
    (["-v"], "there is no option '-v'."),
    (["--json", "port", "a"], "port comes first, and its options follow it."),
  ])
  func `What cannot be understood is refused with status 64 and a hint`(
    arguments: [String], sentence: String
  ) throws {
    let expected = CommandError(status: 64, message: "\(sentence)\nSee 'kvo --help'.")
    #expect(throws: expected) { try Invocation(arguments) }
  }
}
