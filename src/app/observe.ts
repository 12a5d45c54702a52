import type { Logger } from 'pino'
import { levelOf } from '../async/keep-trying.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { startSpan } from '../processors/runtime/tracing.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import type { FoldedBatch, ProjectionOptions } from '../projections/runtime/run-projection.ts'

/** Counts the events that projections fold. */
export const observeBatches =
  (telemetry: Telemetry) =>
  ({ projection, events }: FoldedBatch): void =>
    telemetry.count('events_projected', { projection }, events)

export const logFailures =
  (log: Logger): NonNullable<ProjectionOptions['onFailure']> =>
  (projection, failed) => {
    const { error, retryInMillis } = failed
    log[levelOf(failed)]({ err: error, projection, retryInMillis }, 'a projection is stalled; retrying')
  }

/** Makes a span of each fold of an event that carries a trace: the last step on the way from message to view. */
export const traced = (projection: Projection): Projection => ({
  ...projection,
  apply: (event, tables) => {
    const { traceparent } = event.metadata
    if (!traceparent) return projection.apply(event, tables)
    const span = startSpan(`project ${projection.name}`, traceparent, {
      'fonds.event': event.type,
      'fonds.stream': event.stream,
    })
    try {
      projection.apply(event, tables)
    } finally {
      span.end()
    }
  },
})
