// swift-tools-version: 6.2

import PackageDescription

// The adapters for Apple's toolkits, compiled against small modules of their names that model the
// documented order of lifecycle calls.
let package = Package(
  name: "AppleToolkits",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value-observing", path: "../..")],
  targets: [
    .target(name: "UIKit"),
    .target(name: "AppKit"),
    .target(name: "SwiftUI"),
    // `Apple` is a link to the folder of the library.
    .target(
      name: "AppleAdapters",
      dependencies: [
        "UIKit", "AppKit", "SwiftUI",
        .product(name: "LifecycleObserving", package: "swift-key-value-observing"),
      ],
      swiftSettings: [.define("APPLE_STAND_INS")]
    ),
    .testTarget(
      name: "AppleToolkitTests",
      dependencies: [
        "AppleAdapters", "UIKit", "AppKit", "SwiftUI",
        .product(name: "KeyValueObservingTesting", package: "swift-key-value-observing"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
