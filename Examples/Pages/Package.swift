// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names packages by their folders, and takes this one for the one that it depends on where the clone
// is in a folder that is called `pages` as well. The clone needs another name then.
let package = Package(
  name: "Pages",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value-observing", path: "../..", traits: ["GObject"])],
  targets: [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .target(
      name: "GTKLifecycle",
      dependencies: [
        "CGtk", library("LifecycleObserving"), library("KeyValueObservingGObject"),
      ]),
    .executableTarget(
      name: "Pages", dependencies: ["CGtk", "GTKLifecycle", library("KeyValueObservingGObject")]),
    .testTarget(name: "GTKLifecycleTests", dependencies: ["GTKLifecycle", "CGtk"]),
    .testTarget(
      name: "PagesTests",
      dependencies: ["Pages", "GTKLifecycle", "CGtk", library("KeyValueObservingTesting")]),
  ],
  swiftLanguageModes: [.v6]
)

func library(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-key-value-observing")
}
