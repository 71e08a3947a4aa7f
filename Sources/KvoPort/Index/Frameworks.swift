/// Names of frameworks that patterns need to know.
enum Frameworks {
  static let modules: Set<String> = [
    "AppKit", "AVFoundation", "CloudKit", "Combine", "CoreData", "Foundation", "MediaPlayer",
    "Realm",
    "RealmSwift", "SpriteKit", "Swift", "SwiftUI", "UIKit", "WebKit",
  ]

  /// Classes whose properties a database implements at run time.
  static let managedObjects: Set<String> = [
    "NSManagedObject", "RealmSwiftObject", "RLMObject", "EmbeddedObject", "AsymmetricObject",
    "Results", "RealmSwiftEmbeddedObject",
  ]

  /// The modules in which `Object` is such a class.
  static let databaseModules: Set<String> = ["RealmSwift", "Realm"]

  /// The classes whose subclasses belong to the main actor.
  static let mainActorClasses: Set<String> = [
    "NSApplication", "NSButton", "NSCell", "NSCollectionViewItem", "NSControl",
    "NSDocumentController",
    "NSImageView", "NSMenu", "NSMenuItem", "NSOutlineView", "NSPanel", "NSPopover", "NSResponder",
    "NSScrollView", "NSSlider", "NSSplitView", "NSSplitViewController", "NSStackView",
    "NSTabViewController", "NSTableCellView", "NSTableRowView", "NSTableView", "NSTextField",
    "NSTextView", "NSTitlebarAccessoryViewController", "NSToolbar", "NSToolbarItem", "NSView",
    "NSViewController", "NSVisualEffectView", "NSWindow", "NSWindowController", "MTKView",
    "MKMapView",
    "UIApplication", "UIBarButtonItem", "UIButton", "UICollectionView", "UICollectionViewCell",
    "UICollectionViewController", "UIControl", "UIImageView", "UILabel", "UINavigationBar",
    "UINavigationController", "UIPageViewController", "UIResponder", "UIScrollView",
    "UISplitViewController", "UIStackView", "UITabBarController", "UITableView", "UITableViewCell",
    "UITableViewController", "UITextField", "UITextView", "UIView", "UIViewController", "UIWindow",
    "WKWebView",
  ]

  /// Values that have keys of their own, which are no key-value coding.
  static let keyedValues: Set<String> = [
    "Any", "AnyObject", "Array", "Bundle", "CAAnimation", "CFDictionary", "Dictionary",
    "HTTPHeaders",
    "NSArray", "NSCache", "NSCoder", "NSDictionary", "NSKeyedArchiver", "NSKeyedUnarchiver",
    "NSMapTable",
    "NSMutableArray", "NSMutableDictionary", "NSMutableOrderedSet", "NSMutableSet", "NSOrderedSet",
    "NSSet", "Set", "String", "URLRequest",
  ]

  /// Collections that read a key path of their members.
  static let collections: Set<String> = [
    "NSArray", "NSMutableArray", "NSMutableOrderedSet", "NSMutableSet", "NSOrderedSet", "NSSet",
  ]

  /// The classes of Foundation in whose place the library has observable ones.
  static let replaced: [String: String] = [
    "Operation": "ObservableOperation", "BlockOperation": "ObservableOperation",
    "Progress": "ObservableProgress", "UserDefaults": "ObservableUserDefaults",
  ]

  /// The library's own classes that can be observed.
  static let observable: Set<String> = [
    "KeyValueDictionary", "KeyValueObservable", "ObservableConcurrentOperation",
    "ObservableOperation", "ObservableProgress", "ObservableUserDefaults", "ObservableSource",
    "GObjectSource",
  ]

  /// The classes of operations.
  static let operations: Set<String> = [
    "Operation", "BlockOperation", "ObservableOperation", "ObservableConcurrentOperation",
  ]

  /// Whether a name looks like that of a class of Objective-C, and not of a value.
  static func isClass(_ name: String) -> Bool {
    let values: Set<String> = [
      "NSRange", "NSRect", "NSSize", "NSPoint", "NSEdgeInsets", "NSString",
    ]
    let prefixes = [
      "AV", "CA", "CI", "CK", "CN", "EK", "GK", "MK", "MP", "NE", "NS", "PH", "SK", "UI", "WK",
    ]
    return !values.contains(name) && !replaced.keys.contains(name)
      && prefixes.contains { name.hasPrefix($0) && name.dropFirst(2).first?.isUppercase == true }
  }

  /// Static members that return the object itself.
  static let sharedObjects: Set<String> = [
    "current", "default", "general", "main", "shared", "sharedApplication", "sharedInstance",
    "standard",
    "system",
  ]

  /// The properties that protocols of frameworks require, and that their code reads or observes.
  static let requirements: [String: Set<String>] = [
    "MKAnnotation": ["coordinate", "subtitle", "title"],
    "NSFilePresenter": ["presentedItemOperationQueue", "presentedItemURL"],
    "QLPreviewItem": ["previewItemTitle", "previewItemURL"],
  ]

  /// The classes of members of frameworks' classes that are often observed.
  static let members: [String: String] = [
    "AVPlayer.currentItem": "AVPlayerItem", "AVPlayerLayer.player": "AVPlayer",
    "AVPlayerViewController.player": "AVPlayer", "NSViewController.view": "NSView",
    "NSView.window": "NSWindow", "NSWindowController.window": "NSWindow",
    "UIViewController.view": "UIView", "UIView.window": "UIWindow", "UIView.layer": "CALayer",
    "NSView.layer": "CALayer",
  ]
}
