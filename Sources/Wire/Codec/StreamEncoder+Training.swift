// How the trained tables came to be: a stream whose models go on learning over restarts, run over
// training traces, says what it learnt. `stickerpit bench codec --train` writes
// TrainedTables.swift.

@_spi(Training)
extension StreamEncoder {
  /// Lets the models keep what they learn, and start with what `other` learnt.
  public func keepLearning(from other: StreamEncoder?) {
    state.keepsModels = true
    scratch.keepsModels = true
    guard let other else { return }
    state.models.copy(from: other.state.models)
    scratch.models.copy(from: other.scratch.models)
  }

  /// What was learnt, as the trained tables' characters.
  public func learntTables() -> [UInt8] {
    (0..<CodecModels.count).map { index in
      let models = CodecModels.isForKeyframes(index) ? scratch.models : state.models
      return TrainedTables.character(for: models.learnt(at: index))
    }
  }
}
