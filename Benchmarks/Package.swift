// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "Peers", description: "Measures RxSwift, OpenCombine and ReactiveSwift as well.")
  ],
  // Without the trait nothing but the library itself is resolved, so that no network is needed.
  dependencies: [
    .package(
      name: "swift-key-value-observing", path: "..",
      traits: [
        .trait(name: "RxSwift", condition: .when(traits: ["Peers"])),
        .trait(name: "OpenCombine", condition: .when(traits: ["Peers"])),
      ]),
    .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.10.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift", from: "7.2.0"),
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMeasuring", "Models", observing, integration("KeyValueObservingRxSwift"),
        integration("KeyValueObservingOpenCombine"), peer("RxSwift"),
        peer("RxRelay", of: "RxSwift"),
        peer("OpenCombine"), peer("ReactiveSwift"),
      ]),
    // A module of its own, so that "public in another module" is what a user of a model has.
    .target(name: "Models", dependencies: [observing]),
    .target(name: "CMeasuring"),
  ],
  swiftLanguageModes: [.v6]
)

var observing: Target.Dependency {
  .product(name: "KeyValueObserving", package: "swift-key-value-observing")
}

func integration(_ product: String) -> Target.Dependency {
  .product(
    name: product, package: "swift-key-value-observing", condition: .when(traits: ["Peers"]))
}

func peer(_ product: String, of package: String? = nil) -> Target.Dependency {
  .product(name: product, package: package ?? product, condition: .when(traits: ["Peers"]))
}
