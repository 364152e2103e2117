/// The state of a list: identified sections in order, each with identified items in order.
///
/// A snapshot is a value. Build one from your model, or take the live one from a data source, edit
/// it, and apply it. An identifier appears once in the whole snapshot; sections and items are
/// separate worlds. That is checked when a snapshot is applied, or by ``validate()``, not by every
/// edit.
///
/// Reload and reconfigure marks travel with the value that is applied and are gone afterwards.
public struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  struct Section: Sendable, Equatable {
    let id: SectionID
    var items: [ItemID]
  }

  var sections: [Section] = []
  package var marks = Marks()

  /// Creates a snapshot without any section.
  public init() {}
}

extension Snapshot: Equatable {
  /// Compares sections and items, not marks.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.sections == right.sections
  }
}
