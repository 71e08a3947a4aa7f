// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Pages",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value-observing", path: "../..")],
  targets: [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .target(
      name: "GTKLifecycle",
      dependencies: [
        "CGtk", .product(name: "KeyValueObserving", package: "swift-key-value-observing"),
      ]),
    .executableTarget(name: "Pages", dependencies: ["GTKLifecycle"]),
    .testTarget(name: "PagesTests", dependencies: ["Pages", "GTKLifecycle", "CGtk"]),
  ],
  swiftLanguageModes: [.v6]
)
