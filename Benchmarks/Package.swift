// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value-observing", path: "..")],
  targets: [
    .executableTarget(name: "Benchmarks", dependencies: ["CMeasuring", "Models", observing]),
    // A module of its own, so that "public in another module" is what a user of a model has.
    .target(name: "Models", dependencies: [observing]),
    .target(name: "CMeasuring"),
  ],
  swiftLanguageModes: [.v6]
)

var observing: Target.Dependency {
  .product(name: "KeyValueObserving", package: "swift-key-value-observing")
}
