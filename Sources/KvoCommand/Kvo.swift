import Foundation

/// The command, from its arguments to its status.
package enum Kvo {
  @MainActor
  package static func main() async {
    let output = Output.standard
    do throws(CommandError) {
      switch try Invocation(CommandLine.arguments.dropFirst()) {
      case .help: output.print(Help.text)
      case .version: output.print("kvo \(Help.version)")
      case .tour: Tour(output: output).run()
      case .watch(let request):
        var command = try WatchCommand(request, output)
        try await command.run()
      case .port(let arguments): try PortLauncher().launch(arguments)
      }
    } catch {
      output.complain(error.message)
      exit(error.status)
    }
  }
}
