// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "Peers", description: "Measures RxSwift, OpenCombine and ReactiveSwift as well."),
    .trait(name: "GObject", description: "Measures GObjects as well. It needs gobject-2.0."),
  ],
  // Without the trait nothing but the library itself is resolved, so that no network is needed.
  dependencies: [
    .package(
      name: "swift-key-value-observing", path: "..",
      traits: [
        .trait(name: "GObject", condition: .when(traits: ["GObject"])),
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
        "CMeasuring", "Drawing", "Models", observing, integration("KeyValueObservingRxSwift"),
        integration("KeyValueObservingOpenCombine"), peer("RxSwift"),
        peer("RxRelay", of: "RxSwift"),
        peer("OpenCombine"), peer("ReactiveSwift"),
        .product(
          name: "KeyValueObservingGObject", package: "swift-key-value-observing", condition: gObject
        ),
        .target(name: "CMeasuredObjects", condition: gObject),
      ]),
    // A module of its own, so that "public in another module" is what a user of a model has.
    .target(name: "Models", dependencies: [observing]),
    .target(name: "CMeasuring"),
    .target(name: "Drawing"),
    // The figures of the documentation, which are drawn and not measured.
    .executableTarget(name: "Figures", dependencies: ["Drawing"]),
    .systemLibrary(
      name: "CGObjectLibrary", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(
      name: "CMeasuredObjects",
      dependencies: [.target(name: "CGObjectLibrary", condition: gObject)],
      cSettings: [.define("WITH_GOBJECT", .when(traits: ["GObject"]))]
    ),
  ],
  swiftLanguageModes: [.v6]
)

var gObject: TargetDependencyCondition? { .when(traits: ["GObject"]) }

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
