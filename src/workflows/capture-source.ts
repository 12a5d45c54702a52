import { SECOND } from '../domain/kernel/time.ts'
import type { CaptureSource } from '../ports/capture-source.ts'
import { positionAt } from '../projections/indexing/captures/position-at.ts'
import type { WorkflowContext } from './workflow.ts'

/** Milliseconds of work of one question. */
const maxMillis = 20 * SECOND

/** Where all that shows captures asks: now, at a position, or at the end of a time. Throws `UnavailableError`. */
export const captureSource = async (
  { captureIndex, config, eventStore }: Pick<WorkflowContext, 'captureIndex' | 'config' | 'eventStore'>,
  at?: { readonly position: bigint } | { readonly time: string },
): Promise<CaptureSource> => ({
  index: captureIndex(),
  maxScanned: config.indexingScanLines,
  maxMillis,
  ...(at && { asOf: 'position' in at ? at.position : await positionAt(eventStore, at.time) }),
})
