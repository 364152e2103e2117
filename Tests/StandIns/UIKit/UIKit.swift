// Stands in for UIKit where there is none, so that DiffableUI can be compiled and run.
//
// Only what Apple documents is declared, and as Apple's page shows it; a line above each declaration
// names the page. What cannot be the same, or is not on the page, is of these kinds, here and in the
// module that stands in for AppKit:
//
// - Optional requirements of protocols are requirements with a default implementation.
// - Pages say neither `open` nor `public`. What stands in an extension cannot be overridden here.
// - Initializers that the runtime of Objective-C calls are `required`, and inherited ones are repeated.
// - `class let` is a computed `class var`, and `unowned(unsafe)` is `weak`.
// - Types have the superclass and the protocols that are needed, not all that pages list; protocols
//   have the requirements that are needed.
// - Raw values of cases and options: pages show their type only.
// - What a real view raises goes to a handler.
//
// All have been compared with these pages, except for what has been seen only in the list of members on
// the page of the type: `init(coder:)` of `UIView`, `UICollectionViewLayout` and `NSViewController`,
// `text` and `secondaryText` of `UIListContentConfiguration`, `row` and, in UIKit,
// `init(item:section:)` of `IndexPath`, `selectedRowIndexes` of `NSTableView`,
// `collectionView(_:cancelPrefetchingForItemsAt:)` of AppKit, and the initializers of
// `NSUserInterfaceItemIdentifier`, `isExpanded` of `UICellConfigurationState`, `setString(_:forType:)` of
// `NSPasteboardItem`, the initializers of `NSPasteboard.PasteboardType`, and `numberOfItems(inSection:)` of
// `NSCollectionView`, `invalidationContextClass` and `invalidateItems(at:)` of AppKit, and
// `register(_:forDecorationViewOfKind:)` with a nib,
// `scrollViewDidChangeAdjustedContentInset(_:)`, `scrollViewWillBeginDragging(_:)`,
// `autoresizingMask`, `isUserInteractionEnabled` and `didMoveToWindow()` of `UIView`, `style`,
// `indexPathsForRows(in:)`, `rect(forSection:)`, `rectForHeader(inSection:)` and
// `rectForFooter(inSection:)` of `UITableView`, `floatsGroupRows` of `NSTableView`, `contentView` and `tile()`
// of `NSScrollView`, and what `NSView` says of notifications about its frame. Of `configurationState` the page in Objective-C has been seen, and of
// `collectionView(_:targetIndexPathForMoveOfItemFromOriginalIndexPath:atCurrentIndexPath:toProposedIndexPath:)`
// and the two methods of `NSCollectionViewDelegate` about the beginning and the end of a dragging session the
// signatures in programs and in interfaces of Swift. Of menus the pages of types, of initializers and of what
// asks for a context menu have been seen, of their options and identifiers only these. Nor have the types of the raw values of `ElementCategory`,
// `ScrollDirection`, `UIUserInterfaceLayoutDirection` and `NSUserInterfaceLayoutDirection` been seen.
//
// Where pages leave open what a view does, it does what `StandInHabits` says, which tests switch.
//
// What tests do in the place of the system and of users is `package`, in files that end in `+StandIn`.

// developer.apple.com/documentation/uikit: importing UIKit imports Foundation.
@_exported public import Foundation
