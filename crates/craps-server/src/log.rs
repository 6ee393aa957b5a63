//! The server's own log on standard error, and traces for an OpenTelemetry collector.

use crate::config::LogFormat;
use crate::server::NotStarted;
use tracing_subscriber::filter::EnvFilter;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// What the log shows unless `BOXPERSON_TRACE` says something else.
const SHOWN: &str = "warn,craps_server=info";

/// The traces that are on their way to a collector.
#[derive(Debug, Default)]
pub struct Traces {
    #[cfg(feature = "otel")]
    provider: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

impl Traces {
    /// Sends what is left. The collector has a few seconds.
    pub fn close(self) {
        #[cfg(feature = "otel")]
        if let Some(Err(error)) = self.provider.map(|provider| provider.shutdown()) {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

/// Starts to write the log to standard error. `BOXPERSON_TRACE` sets the filter, such as `info,craps_server=debug`. Traces go to the collector at
/// `otlp` or at `OTEL_EXPORTER_OTLP_ENDPOINT`, if the program was built with the feature `otel`.
///
/// # Errors
/// When there is a collector to send traces to, and the program can't do that.
pub fn begin_log(format: LogFormat, otlp: Option<&str>) -> Result<Traces, NotStarted> {
    let filter = std::env::var("BOXPERSON_TRACE").ok().and_then(|text| EnvFilter::try_new(text).ok());
    let filter = filter.unwrap_or_else(|| EnvFilter::new(SHOWN));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "otel")]
    {
        let (layer, traces) = otel::layer(otlp)?;
        // Fails if a log was started before. That log goes on.
        let _ = registry.with(layer).try_init();
        Ok(traces)
    }
    #[cfg(not(feature = "otel"))]
    {
        if let Some(otlp) = otlp {
            let why = format!("{otlp}: this program was built without the feature `otel`, so it can't send traces");
            return Err(NotStarted::Traces { why });
        }
        let _ = registry.try_init();
        Ok(Traces::default())
    }
}

#[cfg(feature = "otel")]
mod otel {
    use super::Traces;
    use crate::server::NotStarted;
    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing::Subscriber;
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::layer::Layer;
    use tracing_subscriber::registry::LookupSpan;

    /// The variables that OpenTelemetry has for the collector's address.
    const STANDARD: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

    /// Makes the layer that sends spans. There is none without a collector.
    pub(super) fn layer<S>(otlp: Option<&str>) -> Result<(Option<impl Layer<S>>, Traces), NotStarted>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        if otlp.is_none() && STANDARD.iter().all(|name| std::env::var_os(name).is_none()) {
            return Ok((None, Traces::default()));
        }
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpBinary);
        let exporter = match otlp {
            Some(base) => exporter.with_endpoint(format!("{}/v1/traces", base.trim_end_matches('/'))),
            None => exporter,
        };
        let exporter = exporter.build().map_err(|error| NotStarted::Traces { why: error.to_string() })?;
        let resource = Resource::builder().with_service_name("boxperson").build();
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        let ours = Targets::new()
            .with_target("craps_server", tracing::Level::DEBUG)
            .with_target("craps_store", tracing::Level::DEBUG);
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("boxperson")).with_filter(ours);
        Ok((Some(layer), Traces { provider: Some(provider) }))
    }
}
