import { SECOND } from '../../domain/kernel/time.ts'
import { refusalNow } from '../../projections/indexing/access/rules-in-force.ts'
import type { CaptureSource } from '../../projections/indexing/captures/capture-source.ts'
import { positionAt } from '../../projections/indexing/captures/position-at.ts'
import type { IndexingContext } from './context.ts'

/** Milliseconds of work of one query. */
const maxMillis = 20 * SECOND

/**
 * Creates the source of everything that shows captures: now, at a position, or at the end of a time. Throws
 * `UnavailableError`.
 */
export const captureSource = async (
  {
    captureIndex,
    config,
    eventStore,
    clock,
    telemetry,
  }: Pick<IndexingContext, 'captureIndex' | 'config' | 'eventStore' | 'clock' | 'telemetry'>,
  at?: { readonly position: bigint } | { readonly time: string },
): Promise<CaptureSource> => {
  // Access rules of now: captures that were taken down are hidden as of earlier moments, too.
  const refusal = await refusalNow(eventStore, clock.now())
  return {
    index: captureIndex(),
    maxScanned: config.indexingScanLines,
    maxMillis,
    onCut: (by) => telemetry.count('index_questions_cut', { by }),
    ...(at && { asOf: 'position' in at ? at.position : await positionAt(eventStore, at.time) }),
    ...(refusal && {
      isHidden: ({ key, time }) => refusal(key, time) !== undefined,
      refusedBy: ({ key, time }) => refusal(key, time),
    }),
  }
}
