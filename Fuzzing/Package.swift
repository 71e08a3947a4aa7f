// swift-tools-version: 6.2

import PackageDescription

// Built by `run`, which passes the flags that instrument the library as well.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value-observing", path: "..")],
  targets: [
    fuzzer("FuzzKeyPaths"),
    fuzzer("FuzzCoding"),
    fuzzer("FuzzJSON", of: "FuzzedCommand"),
    .target(name: "FuzzSupport", swiftSettings: [.enableExperimentalFeature("Extern")]),
    // Links to sources of the command, which is no product that another package could use.
    .target(name: "FuzzedCommand", dependencies: [.observing]),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static var observing: Self {
    .product(name: "KeyValueObserving", package: "swift-key-value-observing")
  }
}

/// A program that tries inputs which libFuzzer makes.
func fuzzer(_ name: String, of subjects: Target.Dependency...) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["FuzzSupport", .observing] + subjects,
    swiftSettings: [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
  )
}
