// Stands in for UIKit where there is none, so that DiffableUI can be compiled and run.
//
// Only what Apple documents is declared, with the signatures that the named pages show. Three things
// cannot be the same without Objective-C: optional requirements of protocols have default
// implementations here, initializers that the runtime would call are `required`, and what a real
// view raises goes to a handler. What tests do in the place of the system and of users is
// `package`, in files that end in `+StandIn`.

// developer.apple.com/documentation/uikit: importing UIKit imports Foundation.
@_exported public import Foundation
