import Transport

extension ListenerConfiguration {
  init(_ server: ServerConfiguration) {
    self.init(host: server.host, port: server.port, webFolder: server.webFolder)
    subprotocol = "stickerpit.v1"
    socketPath = "/ws"
    allowedOrigins = server.allowedOrigins
    maximumMessageBytes = server.limits.messageBytes
    maximumConnections = server.limits.connections
    maximumConnectionsPerAddress = server.limits.connectionsPerAddress
    pingSeconds = server.limits.pingSeconds
    silenceSeconds = server.limits.silenceSeconds
    if let tls = server.tls {
      self.tls = TLSConfiguration(certificatePath: tls.certificatePath, keyPath: tls.keyPath)
    }
  }
}
