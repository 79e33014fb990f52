import Logging
import Transport

extension ListenerConfiguration {
  init(_ server: ServerConfiguration, logger: Logger) {
    self.init(
      host: server.host, port: server.port, webFolder: server.webFolder,
      allowedOrigins: server.allowedOrigins, maximumMessageBytes: server.limits.messageBytes,
      maximumConnections: server.limits.connections,
      maximumConnectionsPerAddress: server.limits.connectionsPerAddress,
      pingSeconds: server.limits.pingSeconds, hangupSeconds: server.limits.silenceSeconds,
      tls: server.tls, log: { logger.warning("\($0)") })
  }
}
