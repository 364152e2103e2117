public import Diffable

/// The laws of differences.
///
/// Check the laws on snapshots of your own identifiers. They are broken by a type whose `==` and
/// `hash(into:)` disagree, or whose values change while they are in use.
///
/// ```swift
/// try DifferenceLaw.check(from: old, to: new)               // throws the first violation
/// let all = DifferenceLaw.violations(from: old, to: new)    // has every violation
/// ```
///
/// ``composition`` is about three snapshots: ``violations(along:)`` checks it.
public enum DifferenceLaw: String, CaseIterable, Hashable, Sendable {
  /// Equal identifiers have equal hashes, and each equals itself.
  case identity
  /// No identifier appears twice.
  case uniqueness
  /// Replaying a difference on the old snapshot gives the new one.
  case replay
  /// Replaying the inverse on the new snapshot gives the old one.
  case inverse
  /// A difference is empty if and only if the snapshots are equal and the new one has no marks.
  case emptiness
  /// Nothing is changed unnecessarily, and the moves are the fewest possible.
  case minimality
  /// Differences replayed one after another lead to the same state as the direct one.
  case composition
}

extension DifferenceLaw {
  /// Checks every law about two snapshots: all but ``composition``.
  ///
  /// - Throws: The first violation.
  public static func check<SectionID, ItemID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>
  ) throws(LawViolation<DifferenceLaw>) {
    if let violation = violations(from: old, to: new).first { throw violation }
  }

  /// Checks every law about two snapshots: all but ``composition``.
  ///
  /// - Returns: Every violation. If identity or uniqueness is violated, no other law is checked.
  /// - Complexity: O(n log n) comparisons for n identifiers, given a good hash.
  public static func violations<SectionID, ItemID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>
  ) -> [LawViolation<DifferenceLaw>] {
    do throws(SnapshotError) {
      let faults = identityViolations(from: old, to: new)
      guard faults.isEmpty else { return faults }
      return violations(of: try new.difference(from: old), from: old, to: new)
    } catch {
      return [LawViolation(.uniqueness, error.description)]
    }
  }

  /// Checks the laws for a difference from any origin.
  ///
  /// - Returns: Every violation.
  package static func violations<SectionID, ItemID>(
    of difference: SnapshotDifference, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) -> [LawViolation<DifferenceLaw>] {
    let lists = (old: PlainList(old), new: PlainList(new))
    var violations = replayViolations(
      .replay, of: difference, from: old, lists.old, to: new, lists.new)
    violations += replayViolations(
      .inverse, of: difference.inverse, from: new, lists.new, to: old, lists.old)
    let isUnmarked =
      new.reloadedItemIdentifiers.isEmpty && new.reconfiguredItemIdentifiers.isEmpty
      && new.reloadedSectionIdentifiers.isEmpty && new.reconfiguredSectionIdentifiers.isEmpty
    let haveSameOutlines =
      lists.old == lists.new && difference.outlineChanges.isEmpty
    if haveSameOutlines, difference.isEmpty != isUnmarked {
      let state = isUnmarked ? "" : ", but one of them is marked"
      violations.append(
        LawViolation(.emptiness, "\(difference) between equal snapshots\(state): \(new)."))
    }
    // A renamed item is the same item.
    let renamed = lists.old.renamed(by: difference, as: lists.new)
    if renamed != lists.new, !difference.isStructural {
      violations.append(LawViolation(.emptiness, "No difference from \(old) to \(new)."))
    }
    violations += outlineViolations(of: difference, from: old, to: new)
    let found = ChangeCounts(difference)
    let fewest = ChangeCounts(fewestFrom: renamed, to: lists.new)
    if found != fewest {
      violations.append(
        LawViolation(
          .minimality, "\(difference) from \(old) to \(new) has \(found), but \(fewest) suffice."))
    }
    return violations
  }

  /// Checks every law along a path of snapshots: from each to the next, and ``composition`` for each three in a row.
  ///
  /// - Parameter path: The states of a list, one after the other; fewer than two break no law.
  /// - Returns: Every violation.
  /// - Complexity: O(k · n log n) comparisons for k snapshots of n identifiers, given a good hash.
  public static func violations<SectionID, ItemID>(
    along path: [Snapshot<SectionID, ItemID>]
  ) -> [LawViolation<DifferenceLaw>] {
    var violations = zip(path, path.dropFirst()).flatMap { Self.violations(from: $0, to: $1) }
    for index in path.indices.dropLast(2) {
      violations += compositionViolations(path[index], path[index + 1], path[index + 2])
    }
    return violations
  }

  private static func compositionViolations<SectionID, ItemID>(
    _ first: Snapshot<SectionID, ItemID>, _ second: Snapshot<SectionID, ItemID>,
    _ third: Snapshot<SectionID, ItemID>
  ) -> [LawViolation<DifferenceLaw>] {
    do throws(SnapshotError) {
      let detour = try first.applying(second.difference(from: first), insertsFrom: second)
        .applying(third.difference(from: second), insertsFrom: third)
      let direct = try first.applying(third.difference(from: first), insertsFrom: third)
      guard detour != direct else { return [] }
      return [
        LawViolation(.composition, "\(first) over \(second) to \(third) leads to \(detour).")
      ]
    } catch {
      return [LawViolation(.composition, "\(first) over \(second) to \(third): \(error)")]
    }
  }

  /// Replays with the library, and as a view does; both must give the same list.
  private static func replayViolations<SectionID, ItemID>(
    _ law: DifferenceLaw, of difference: SnapshotDifference,
    from old: Snapshot<SectionID, ItemID>, _ oldList: PlainList<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>, _ newList: PlainList<SectionID, ItemID>
  ) -> [LawViolation<DifferenceLaw>] {
    var violations: [LawViolation<DifferenceLaw>] = []
    do throws(SnapshotError) {
      let replayed = try old.applying(difference, insertsFrom: new)
      if replayed != new {
        violations.append(
          LawViolation(law, "\(difference) on \(old) gives \(replayed) instead of \(new)."))
      }
    } catch {
      violations.append(LawViolation(law, "\(difference) on \(old) to \(new): \(error)"))
    }
    let changes = [ListOperation](
      difference, oldItemCounts: oldList.itemCounts, newItemCounts: newList.itemCounts)
    let update = ListUpdate(
      changes.filter { !$0.isRefresh }, from: oldList, to: newList,
      renaming: difference.itemRenames)
    let faults = update.coreViolations(SectionPairing(update))
    if !faults.isEmpty {
      violations.append(
        LawViolation(
          law, "\(difference) on \(old), as a view performs it, does not give \(new): \(faults)."))
    }
    return violations
  }
}
