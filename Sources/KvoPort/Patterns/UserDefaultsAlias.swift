import Foundation
internal import SwiftSyntax

extension UserDefaultsPattern {
  private static let aliasName = "UserDefaults+Observable"

  /// The file that declares the alias for the module of a file, nil if the module has one on disk.
  static func aliasFile(for file: SourceFile, _ index: Index) -> (path: String, text: String)? {
    guard !hasAlias(moduleFolder(of: file)) else { return nil }
    let folder = folder(of: file.path)
    let names = [aliasName, aliasName + "Alias"] + (2...99).map { "\(aliasName)Alias\($0)" }
    let path = names.lazy.map { "\(folder)\($0).swift" }
      .first { !FileManager.default.fileExists(atPath: $0) }
    let module = FoundationUse.module(of: file)
    let isPublic = index.files.contains { other in
      FoundationUse.module(of: other) == module
        && other.nodes.typeNames.contains(where: \.isInPublic)
    }
    let text = """
      import \(ImportPattern.module)

      /// User defaults that notify observers on every platform.
      \(isPublic ? "public " : "")typealias UserDefaults = ObservableUserDefaults

      """
    return path.map { ($0, text) }
  }

  /// The path up to the name of the file, empty for a file in the current folder.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The folder of a target of a package, or that of a project or a repository around a file.
  private static func moduleFolder(of file: SourceFile) -> String {
    let module = FoundationUse.module(of: file)
    let own = URL(filePath: file.path).deletingLastPathComponent().standardizedFileURL
    var folder = own
    while folder.pathComponents.count > 1 {
      if module.isEmpty ? isProject(folder.path) : folder.path.hasSuffix("/" + module) {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    return own.path
  }

  private static func isProject(_ folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains {
      [".git", "Package.swift"].contains($0) || $0.hasSuffix(".xcodeproj")
    }
  }

  /// Whether a folder has a file with the alias.
  private static func hasAlias(_ folder: String) -> Bool {
    let files = FileManager.default.enumerator(atPath: folder)
    while let path = files?.nextObject() as? String {
      if path.hasSuffix(".build") || path.hasSuffix(".git") { files?.skipDescendants() }
      guard path.hasSuffix(".swift"), path.split(separator: "/").last?.hasPrefix(aliasName) == true,
        let text = try? String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      else { continue }
      if text.contains("typealias UserDefaults") { return true }
    }
    return false
  }
}

extension IdentifierTypeSyntax {
  /// Whether this is `UserDefaults` in a declaration that other modules see.
  fileprivate var isInPublic: Bool {
    guard name.text == "UserDefaults" else { return false }
    var current = parent
    while let node = current {
      switch node.kind {
      case .codeBlock, .initializerClause, .accessorBlock: return false
      case .extensionDecl:
        let members = node.as(ExtensionDeclSyntax.self)?.memberBlock.members.flattened ?? []
        return node.isPublic || members.contains { Syntax($0).isPublic }
      default: break
      }
      if node.isProtocol((any DeclSyntaxProtocol).self) {
        // The members of these are public without a word.
        let container = node.container
        let isImplied = [.extensionDecl, .protocolDecl, .enumDecl].contains(container?.kind)
        return node.isPublic || isImplied && container?.isPublic == true
      }
      current = node.parent
    }
    return false
  }
}

extension Syntax {
  fileprivate var isPublic: Bool {
    let modifiers = asProtocol((any WithModifiersSyntax).self)?.modifiers
    return modifiers.map { $0.contains(.public) || $0.contains(.open) } ?? false
  }
}
