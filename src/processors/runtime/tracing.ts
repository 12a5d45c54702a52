import { type Attributes, context, propagation, SpanKind, trace } from '@opentelemetry/api'

/** A span that may be the real thing or, without a tracing SDK, nothing at all. */
export interface Traced {
  /** W3C trace context to hand on; undefined when nothing is recorded. */
  readonly traceparent: string | undefined
  end(): void
}

const tracer = trace.getTracer('fonds')
const untraced: Traced = { traceparent: undefined, end: () => {} }

/** A span below the one that `traceparent` names: a message's producer, or the span that wrote an event. */
export const startSpan = (name: string, traceparent: string | undefined, attributes: Attributes): Traced => {
  const parent = traceparent ? propagation.extract(context.active(), { traceparent }) : context.active()
  const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent)
  if (!span.isRecording()) return untraced
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end: () => span.end(),
  }
}
