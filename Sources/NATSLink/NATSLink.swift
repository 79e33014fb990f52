// The meeting place of servers that share a world, on NATS with JetStream: the only place where
// libnats is seen. `JetStreamLink` keeps the promises of `ClusterLink`, `StreamNames` says which
// subjects and streams there are, `NATSConnection` wraps the library.
