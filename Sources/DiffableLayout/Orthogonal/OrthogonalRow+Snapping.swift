extension OrthogonalRow {
  /// Whether the section can come to rest anywhere.
  package var restsAnywhere: Bool { behavior == .none || behavior == .continuous }

  /// The offsets at which the section comes to rest, in order; `nil` if it can rest anywhere.
  ///
  /// They are for pictures and tests: only the first 65,536 are listed. A host requests the one
  /// offset that it needs.
  ///
  /// - Complexity: O(groups).
  package var restOffsets: [Double]? {
    switch behavior {
    case .none, .continuous:
      return nil
    case .paging:
      guard viewportLength > 0 else { return [0] }
      let pages = min(
        (maxOffset / viewportLength).rounded(.up), Double(LayoutError.maximumSlotCount - 1))
      return (0...Int(max(0, pages))).map { min(Double($0) * viewportLength, maxOffset) }
    case .continuousGroupLeadingBoundary, .groupPaging, .groupPagingCentered:
      var offsets: [Double] = []
      for group in 0..<min(groupCount, LayoutError.maximumSlotCount) {
        guard let offset = restingOffset(ofGroup: group), offset != offsets.last else { continue }
        offsets.append(offset)
      }
      return offsets
    }
  }

  /// The offset at which the section comes to rest near a given offset.
  ///
  /// - Complexity: O(log groups).
  package func restingOffset(near offset: Double) -> Double {
    guard offset.isFinite else { return initialOffset }
    switch behavior {
    case .none, .continuous:
      return clamped(offset)
    case .paging:
      return restingOffset(ofPage: page(near: offset))
    case .continuousGroupLeadingBoundary, .groupPaging, .groupPagingCentered:
      return restingOffset(ofGroup: group(near: offset)) ?? 0
    }
  }

  /// The offset at which the section comes to rest after a drag.
  ///
  /// - Parameters:
  ///   - offset: The offset at which the finger was lifted.
  ///   - velocity: The velocity at that moment, in points per second; positive towards the end of
  ///     the row.
  ///   - start: The offset at which the drag began. Pages and paged groups move at most one away
  ///     from it.
  /// - Returns: The target. The host decides how to animate the way there.
  public func restingOffset(
    from offset: Double, velocity: Double, draggedFrom start: Double
  ) -> Double {
    guard offset.isFinite, velocity.isFinite, start.isFinite else { return initialOffset }
    switch behavior {
    case .none, .continuous:
      return clamped(projected(offset, velocity: velocity))
    case .continuousGroupLeadingBoundary:
      return restingOffset(near: projected(offset, velocity: velocity))
    case .paging:
      return restingOffset(
        ofPage: neighbour(
          nearest: page(near: offset), current: page(near: start), velocity: velocity))
    case .groupPaging, .groupPagingCentered:
      let current = group(near: start)
      let page = neighbour(
        nearest: Double(group(near: offset)), current: Double(current), velocity: velocity)
      let group = min(max(0, page), Double(groupCount - 1))
      return restingOffset(ofGroup: Int(group)) ?? 0
    }
  }

  /// The page nearest to an offset.
  ///
  /// The last page ends with the row, so it may be close to the previous one. It counts as nearest
  /// from the end of the row on.
  private func page(near offset: Double) -> Double {
    guard viewportLength > 0 else { return 0 }
    if offset >= maxOffset {
      // The rounding error of the quotient must not add a page.
      return (maxOffset / viewportLength - 1e-6).rounded(.up)
    }
    return max(0, (offset / viewportLength).rounded())
  }

  private func restingOffset(ofPage page: Double) -> Double {
    min(max(0, page) * viewportLength, maxOffset)
  }

  /// The velocity, in points per second, below which no page is turned.
  private static var slowestSwipe: Double { 100 }

  /// The page at which a drag ends: the next one in the direction of a swipe, or the nearest one.
  ///
  /// It is at most one page away.
  private func neighbour(nearest: Double, current: Double, velocity: Double) -> Double {
    if velocity > Self.slowestSwipe { return current + 1 }
    if velocity < -Self.slowestSwipe { return current - 1 }
    return min(max(nearest, current - 1), current + 1)
  }

  /// The end of a movement that slows down exponentially.
  ///
  /// See Apple, “Designing Fluid Interfaces”, 2018.
  private func projected(_ offset: Double, velocity: Double) -> Double {
    let rate = properties.decelerationRate == .fast ? 0.99 : 0.998
    return offset + velocity / 1000 * rate / (1 - rate)
  }

  private func clamped(_ offset: Double) -> Double { min(max(0, offset), maxOffset) }

  /// The group whose rest offset is nearest to an offset, the earlier of two.
  ///
  /// If several groups rest at the end of the row, it is the first of these.
  private func group(near offset: Double) -> Int {
    let behind = firstGroup(restingFrom: offset)
    guard behind > 0, let before = restingOffset(ofGroup: behind - 1) else { return behind }
    if let next = restingOffset(ofGroup: behind), next - offset < offset - before { return behind }
    return firstGroup(restingFrom: before)
  }

  /// The first group that rests at or after an offset; the number of groups if there is none.
  ///
  /// Rest offsets never decrease from group to group, so a binary search finds it.
  private func firstGroup(restingFrom offset: Double) -> Int {
    var low = 0
    var high = groupCount
    while low < high {
      let middle = low + (high - low) / 2
      if (restingOffset(ofGroup: middle) ?? 0) < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
