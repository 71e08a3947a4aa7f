// swift-tools-version: 6.2

import CompilerPluginSupport
import Foundation
import PackageDescription

let rxSwift = Target.Dependency.product(
  name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"]))
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine",
  condition: .when(
    platforms: [.linux, .windows, .android, .wasi, .openbsd], traits: ["OpenCombine"]))

let package = Package(
  name: "swift-key-value-observing",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "KeyValueObserving", targets: ["KeyValueObserving"]),
    .library(name: "KeyValueObservingCore", targets: ["KeyValueObservingCore"]),
    .library(
      name: "KeyValueObservingFoundation", targets: ["KeyValueObservingFoundation"]),
    .library(name: "KeyValueObservingGObject", targets: ["KeyValueObservingGObject"]),
    .library(
      name: "KeyValueObservingObservation", targets: ["KeyValueObservingObservation"]),
    .library(name: "KeyValueObservingTesting", targets: ["KeyValueObservingTesting"]),
    .library(name: "LifecycleObserving", targets: ["LifecycleObserving"]),
    .library(name: "KeyValueObservingRxSwift", targets: ["KeyValueObservingRxSwift"]),
    .library(name: "KeyValueObservingOpenCombine", targets: ["KeyValueObservingOpenCombine"]),
    .executable(name: "kvo", targets: ["kvo"]),
  ] + portProducts(),
  // Each is an integration whose dependency is fetched only where its trait is on.
  traits: [
    .trait(name: "GObject", description: "Observes GObjects. It needs the library gobject-2.0."),
    .trait(name: "RxSwift", description: "Observables of properties, as RxCocoa has them."),
    .trait(
      name: "OpenCombine",
      description: "Publishers of properties on platforms without Combine, which needs no trait."),
  ],
  dependencies: [
    .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.10.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(name: "CKeyValueObserving"),
    .target(name: "KeyValueObservingCore", dependencies: ["CKeyValueObserving"]),
    .target(
      name: "KeyValueObserving",
      dependencies: ["KeyValueObservingCore", "KeyValueObservingMacros"]
    ),
    .target(
      name: "KeyValueObservingFoundation",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore"]
    ),
    .target(
      name: "LifecycleObserving", dependencies: ["KeyValueObserving", "KeyValueObservingCore"]),
    .target(
      name: "KeyValueObservingObservation",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore"]
    ),
    .target(
      name: "KeyValueObservingTesting",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore", "LifecycleObserving"]
    ),
    .target(
      name: "KeyValueObservingRxSwift",
      dependencies: ["KeyValueObservingFoundation", "KeyValueObservingCore", rxSwift]
    ),
    .target(
      name: "KeyValueObservingOpenCombine",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore", openCombine]
    ),
    // A library, because tests of an executable are not compiled in the right order where a test
    // of macros makes SwiftPM build all tests for the host.
    .target(name: "KvoCommand", dependencies: ["KeyValueObserving"]),
    // It starts `kvo-port` for `kvo port`, and does not depend on it: the linker flags for SwiftSyntax,
    // which needs the toolchain at run time, would be those of `kvo` as well.
    .executableTarget(name: "kvo", dependencies: ["KvoCommand"]),
    // Support for several test targets.
    .target(
      name: "TestSupport", dependencies: ["KeyValueObservingCore"], path: "Tests/TestSupport"),
    .testTarget(
      name: "KeyValueObservingTests",
      dependencies: [
        "KeyValueObserving", "KeyValueObservingCore", "KeyValueObservingTesting", "TestSupport",
      ],
      exclude: tests() == .optimized ? ["PeerBehavior"] : [],
      sources: tests() == .threads ? ["AllTests.swift", "Support", "Threads"] : nil
    ),
    .testTarget(
      name: "KeyValueObservingTestingTests",
      dependencies: ["KeyValueObservingTesting", "KeyValueObserving"]
    ),
    // Checked for memory safety, as a user's module may be: what the macros write has to pass.
    .testTarget(
      name: "TestingExampleTests",
      dependencies: ["KeyValueObserving", "KeyValueObservingTesting"],
      swiftSettings: [
        .strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error),
      ]
    ),
    .testTarget(
      name: "KeyValueObservingFoundationTests",
      dependencies: [
        "KeyValueObservingFoundation", "KeyValueObservingCore", "KeyValueObservingTesting",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "LifecycleObservingTests",
      dependencies: [
        "LifecycleObserving", "KeyValueObservingCore", "KeyValueObservingTesting", "TestSupport",
      ]
    ),
    .testTarget(
      name: "KeyValueObservingRxSwiftTests",
      dependencies: [
        "KeyValueObservingRxSwift", "KeyValueObservingCore", "KeyValueObservingTesting",
        "TestSupport", rxSwift,
      ]
    ),
    .testTarget(
      name: "KeyValueObservingOpenCombineTests",
      dependencies: [
        "KeyValueObservingOpenCombine", "KeyValueObservingCore", "KeyValueObservingTesting",
        "TestSupport", openCombine,
      ]
    ),
    .testTarget(
      name: "KeyValueObservingObservationTests",
      dependencies: [
        "KeyValueObservingObservation", "KeyValueObservingCore", "KeyValueObservingTesting",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "ModelTests",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore", "TestSupport"]),
    .testTarget(
      name: "DiagnosticsTests",
      dependencies: [
        "KeyValueObservingFoundation", "KeyValueObservingCore", "LifecycleObserving",
      ]
    ),
    .testTarget(
      name: "StressTests",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore", "TestSupport"]),
    .testTarget(
      name: "PortingTests",
      dependencies: ["KeyValueObservingFoundation", "KeyValueObservingObservation"]),
    .testTarget(
      name: "KvoCommandTests", dependencies: ["KvoCommand", "KeyValueObserving", "TestSupport"]),
  ] + gObjectTargets() + macroTargets() + portTargets(),
  swiftLanguageModes: [.v6]
)

/// Returns what observes GObjects, and its tests.
///
/// Without the trait all of these are empty, and neither the headers nor the library are needed.
func gObjectTargets() -> [Target] {
  let trait = TargetDependencyCondition.when(traits: ["GObject"])
  let library = Target.Dependency.target(name: "CGObject", condition: trait)
  return [
    .systemLibrary(
      name: "CGObject", pkgConfig: "gobject-2.0",
      providers: [.apt(["libglib2.0-dev"]), .brew(["glib"])]),
    .target(
      name: "KeyValueObservingGObject",
      dependencies: ["KeyValueObserving", "KeyValueObservingCore", library]
    ),
    // Classes of GObjects that the tests observe, in C.
    .target(
      name: "CGObjectModels", dependencies: [library], path: "Tests/CGObjectModels",
      cSettings: [.define("WITH_GOBJECT", .when(traits: ["GObject"]))]
    ),
    // A program whose main thread runs GLib's main loop.
    .executableTarget(
      name: "GLibMainLoopProgram",
      dependencies: ["KeyValueObservingGObject", "CGObjectModels", library],
      path: "Tests/GLibMainLoopProgram"
    ),
    .testTarget(
      name: "KeyValueObservingGObjectTests",
      dependencies: [
        "KeyValueObservingGObject", "CGObjectModels", "GLibMainLoopProgram", library,
        "KeyValueObserving", "KeyValueObservingCore", "KeyValueObservingTesting", "TestSupport",
      ]
    ),
  ]
}

package.targets.removeAll { target in
  guard target.type == .test else { return false }
  let ofTools = ["KvoPortTests", "PortingTests", "KvoCommandTests"]
  let ofExamples = ofTools + ["TestingExampleTests"]
  return switch tests() {
  case .all: false
  case .macros: target.name != "KeyValueObservingMacrosTests"
  case .tools: !ofTools.contains(target.name)
  case .optimized: (ofExamples + ["DiagnosticsTests"]).contains(target.name)
  case .threads: (ofExamples + ["ModelTests"]).contains(target.name)
  }
}
if tests() == .macros {
  // Without a target that may need them, the packages of integrations would be fetched.
  package.dependencies.removeAll()
  package.products.removeAll()
  package.targets.removeAll { !$0.name.hasPrefix("KeyValueObservingMacros") }
}

// The plugin needs SwiftSyntax. Building it from source takes minutes and a network; the toolchain
// already ships it, so a working tree of this package uses that copy. SwiftPM refuses the unsafe
// flags this takes in a versioned dependency, which uses swift-syntax as any macro package does.
if toolchainSwiftSyntax() == nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.0"..<"605.0.0")
  )
}

/// Dependencies and settings of a target that imports SwiftSyntax.
struct SwiftSyntaxUse {
  var dependencies: [Target.Dependency] = []
  var swiftSettings: [SwiftSetting] = []
  var linkerSettings: [LinkerSetting] = []

  /// - Parameters:
  ///   - modules: The modules that are imported.
  ///   - libraries: The libraries of the toolchain that these need.
  ///   - products: The products of swift-syntax that have no module in the toolchain.
  init(modules: [String], libraries: [String] = [], products: [String] = []) {
    guard let directory = toolchainSwiftSyntax() else {
      dependencies = (modules + products).map { .product(name: $0, package: "swift-syntax") }
      return
    }
    swiftSettings = [.unsafeFlags(["-I", directory])]
    linkerSettings = [
      .unsafeFlags(
        ["-L", directory, "-Xlinker", "-rpath", "-Xlinker", directory]
          + (modules + libraries).map { "-l\($0)" }
      )
    ]
  }

  /// Every build waits for the plugin, which takes half as long again where it is not optimized, and
  /// `kvo port` takes twice as long.
  var optimizedSettings: [SwiftSetting] {
    swiftSettings.isEmpty ? [] : swiftSettings + [.unsafeFlags(["-O"])]
  }
}

/// Returns the plugin and its tests, which import SwiftSyntax themselves.
func macroTargets() -> [Target] {
  let use = SwiftSyntaxUse(
    modules: [
      "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
      "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros",
    ],
    libraries: ["SwiftBasicFormat", "SwiftCompilerPluginMessageHandling"],
    products: ["SwiftCompilerPlugin"]
  )
  let macros = Target.macro(
    name: "KeyValueObservingMacros",
    dependencies: use.dependencies,
    swiftSettings: use.optimizedSettings,
    linkerSettings: use.linkerSettings
  )
  if areSyntaxToolsLeftOut() { return [macros] }
  return [
    macros,
    .testTarget(
      name: "KeyValueObservingMacrosTests",
      dependencies: ["KeyValueObservingMacros"] + use.dependencies,
      swiftSettings: use.swiftSettings,
      linkerSettings: use.linkerSettings
    ),
  ]
}

/// Whether `kvo port` and the tests of the macros are left out: CI does so for its further builds.
///
/// `kvo port` takes a quarter of the time of a build.
func areSyntaxToolsLeftOut() -> Bool { Context.environment["WITHOUT_SYNTAX_TOOLS"] != nil }

/// The tests that the package has.
enum Tests: String {
  case all
  /// Those of the macros, without the library: SwiftPM builds all tests for the host if one of them depends on a
  /// macro, and what they are built with a second time.
  case macros
  /// Those of the command with `kvo port`, and of the code in the documentation, which sanitizers do not compile.
  case tools
  /// Those of code that optimization may change, without those of texts and processes, and of the behavior of peers.
  case optimized
  /// Of the tests of the library those with threads, tasks and actors: ThreadSanitizer has nothing to find in the
  /// others.
  case threads
}

/// CI builds some of the tests for one step or another, since building takes most of its time.
func tests() -> Tests {
  guard let name = Context.environment["TESTS"] else { return .all }
  guard let tests = Tests(rawValue: name) else { fatalError("TESTS is '\(name)'") }
  return tests
}

func portProducts() -> [Product] {
  areSyntaxToolsLeftOut() ? [] : [.executable(name: "kvo-port", targets: ["kvo-port"])]
}

/// Returns `kvo port` and its tests.
func portTargets() -> [Target] {
  if areSyntaxToolsLeftOut() { return [] }
  let use = SwiftSyntaxUse(
    modules: ["SwiftParser", "SwiftSyntax"],
    libraries: ["SwiftBasicFormat", "SwiftDiagnostics"]
  )
  return [
    .target(
      name: "KvoPort",
      dependencies: use.dependencies,
      swiftSettings: use.optimizedSettings,
      linkerSettings: use.linkerSettings
    ),
    .executableTarget(
      name: "kvo-port", dependencies: ["KvoPort"] + use.dependencies,
      swiftSettings: use.swiftSettings),
    // Programs before and after the port. The test build compiles the latter.
    .target(
      name: "PortedExamples", dependencies: ["KeyValueObservingFoundation"],
      path: "Tests/PortedExamples", exclude: ["Before", "Warnings.txt"], sources: ["After"]
    ),
    .testTarget(
      name: "KvoPortTests",
      dependencies: ["KvoPort", "PortedExamples", "TestSupport"] + use.dependencies,
      exclude: ["GuideDifferences.txt", "NoWarnings.txt", "Patterns.txt", "Warnings.txt"],
      swiftSettings: use.swiftSettings,
      linkerSettings: use.linkerSettings
    ),
  ]
}

/// Returns the directory of the SwiftSyntax modules beside the `swiftc` on `PATH`, or nil where
/// there are none (as in Xcode) or where this package is a versioned dependency.
func toolchainSwiftSyntax() -> String? {
  guard !isVersionedDependency() else { return nil }
  let path = Context.environment["PATH"] ?? ""
  let compiler = path.split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  guard let compiler else { return nil }
  let directory = compiler.resolvingSymlinksInPath()
    .deletingLastPathComponent()
    .appending(path: "../lib/swift/host")
    .standardizedFileURL.path
  return FileManager.default.fileExists(atPath: directory + "/SwiftSyntax.swiftmodule")
    ? directory : nil
}

/// Whether SwiftPM takes this package from a repository or a registry: at a version, a branch or a
/// revision.
///
/// A root package, a dependency by path and an edited one are working trees instead.
///
/// The answer has to be the same while SwiftPM resolves and when it builds.
/// `Scripts/check-resolution` tries all of these.
func isVersionedDependency() -> Bool {
  let root = URL(filePath: Context.packageDirectory)
  let folder = root.deletingLastPathComponent()
  func exists(_ path: String, in directory: URL) -> Bool {
    FileManager.default.fileExists(atPath: directory.appending(path: path).path)
  }
  // While SwiftPM resolves, it loads a manifest that lies in no working tree.
  guard exists("Sources/KeyValueObservingMacros", in: root) else { return true }
  // A package from a registry has this file.
  if exists(".registry-metadata", in: root) { return true }
  // A package from a repository is in `checkouts`, beside the list of packages there.
  return folder.lastPathComponent == "checkouts"
    && exists("workspace-state.json", in: folder.deletingLastPathComponent())
}
