import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  type SpanContext,
  SpanKind,
  trace,
} from '@opentelemetry/api'

export interface Traced {
  /** W3C trace context to pass on. Without a tracing SDK the parent's own; undefined if there is no trace. */
  readonly traceparent: string | undefined
  end(): void
}

const tracer = trace.getTracer('fonds')

const nobody = new ProxyTracerProvider().getDelegate()

/** True if there is neither a producer's trace nor a tracing SDK: nobody would see a span. */
export const isUntraced = (traceparent: string | undefined): boolean => {
  if (traceparent !== undefined) return false
  const provider = trace.getTracerProvider()
  return provider instanceof ProxyTracerProvider && provider.getDelegate() === nobody
}

export const noSpan: Traced = { traceparent: undefined, end: () => {} }

/** Starts a child span of the one that `traceparent` names: a message's producer, or the span that wrote an event. */
export const startSpan = (name: string, traceparent: string | undefined, attributes: Attributes): Traced => {
  const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parentOf(traceparent))
  return { traceparent: write(span.spanContext()), end: () => span.end() }
}

/** Parsed here: the API's own way needs a propagator, which only an SDK registers. */
const parentOf = (traceparent: string | undefined): Context => {
  const read = traceparent && /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent)
  if (!read) return context.active()
  const [, traceId, spanId, flags] = read as unknown as [string, string, string, string]
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.setSpanContext(context.active(), parent)
}

const write = (span: SpanContext): string | undefined =>
  isSpanContextValid(span)
    ? `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
    : undefined
