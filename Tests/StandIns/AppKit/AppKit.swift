// Stands in for AppKit where there is none, by the same rules as the module that stands in for UIKit.

// developer.apple.com/documentation/appkit: importing AppKit imports Foundation.
@_exported public import Foundation
