extension DecodingError {
  /// The error of a snapshot or an outline as the error of a decoder.
  static func refused(_ error: SnapshotError, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: path, debugDescription: error.description, underlyingError: error))
  }
}
