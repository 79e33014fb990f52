// Telemetry keeps what a program tells of itself through swift-metrics, and writes it down as
// Prometheus reads it. It knows nothing of the pit.
//
// `PrometheusExporter` is the factory: counters, meters, recorders and timers made by it are cheap
// to update from any thread, and `text()` renders all of them. Timers and recorders tell quantiles
// of the last minute (`SlidingQuantiles`), so that a scrape says how things are now and not on the
// average since the start. `ProcessFigures` reads memory, descriptors and processor time.
import CoreMetrics
