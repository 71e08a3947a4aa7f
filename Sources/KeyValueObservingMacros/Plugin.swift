import SwiftSyntaxMacros

#if canImport(SwiftCompilerPlugin)
  import SwiftCompilerPlugin
#else
  @_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
#endif

/// Every macro of this plugin.
let allMacros: [any (Macro & Sendable).Type] = [
  KeyValueDependentMacro.self,
  KeyValueIgnoredMacro.self,
  KeyValueInitializerMacro.self,
  KeyValueObservableMacro.self,
  KeyValueStoredMacro.self,
]

#if canImport(SwiftCompilerPlugin)
  @main
  struct KeyValueObservingPlugin: CompilerPlugin {
    var providingMacros: [any Macro.Type] { allMacros }
  }
#else
  /// Answers the compiler over standard input and output.
  ///
  /// The SwiftSyntax that toolchains ship comes without the module that has `CompilerPlugin`.
  @main
  struct KeyValueObservingPlugin: PluginProvider {
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
      guard let macro = allMacros.first(where: { String(describing: $0) == typeName }) else {
        throw UnknownMacro(name: "\(moduleName).\(typeName)")
      }
      return macro
    }

    static func main() throws {
      let connection = try StandardIOMessageConnection()
      try CompilerPluginMessageListener(connection: connection, provider: Self()).main()
    }
  }

  private struct UnknownMacro: Error, CustomStringConvertible {
    let name: String
    var description: String {
      "KeyValueObservingMacros has no macro \(name). Build the package afresh."
    }
  }
#endif
