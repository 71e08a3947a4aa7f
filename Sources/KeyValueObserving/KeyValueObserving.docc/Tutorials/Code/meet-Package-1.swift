// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Downloads",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "<repository URL>", branch: "main")
  ],
  targets: [
    .executableTarget(
      name: "Downloads",
      dependencies: [
        .product(name: "KeyValueObserving", package: "swift-key-value-observing")
      ])
  ]
)
