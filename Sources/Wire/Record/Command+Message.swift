extension ClientMessage {
  /// The message with which a client asks for a command. Nil for what no client sends: a keyword is
  /// found by the server in what somebody says, and leaving is the end of a connection.
  public init?(_ command: Command) {
    switch command {
    case .drop(let kind, let x, let y): self = .drop(kind: kind, x: x, y: y)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      self = .throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY)
    case .grab(let slot, let generation, let x, let y):
      self = .grab(slot: slot, generation: generation, x: x, y: y)
    case .move(let slot, let x, let y): self = .move(slot: slot, x: x, y: y)
    case .release(let slot, let velocityX, let velocityY):
      self = .release(slot: slot, velocityX: velocityX, velocityY: velocityY)
    case .snap(let slot, let generation, let x, let y):
      self = .snap(slot: slot, generation: generation, x: x, y: y)
    case .say, .leave: return nil
    }
  }
}
