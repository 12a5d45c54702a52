import type { CaptureLine } from '@fonds/cdx'
import { SECOND } from '../../domain/kernel/time.ts'
import { hiddenNow } from '../../projections/indexing/access/rules-in-force.ts'
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
  // Access rules and embargoes of now: captures that were taken down are hidden as of earlier moments, too.
  const hidden = await hiddenNow(eventStore, clock.now())
  return {
    index: captureIndex(),
    maxScanned: config.indexingScanLines,
    maxMillis,
    onCut: (by) => telemetry.count('index_questions_cut', { by }),
    ...(at && { asOf: 'position' in at ? at.position : await positionAt(eventStore, at.time) }),
    ...hiding(hidden),
  }
}

type Hiding = Pick<CaptureSource, 'isHidden' | 'refusedBy' | 'heldBack'>

/** Without rules and embargoes no line is looked at for them. */
const hiding = ({ refusal, heldBack }: Awaited<ReturnType<typeof hiddenNow>>): Hiding => {
  const isRefused = refusal && (({ key, time }: CaptureLine) => refusal(key, time) !== undefined)
  const isHeldBack = heldBack && (({ field }: CaptureLine) => heldBack(field('file')))
  const isHidden =
    isRefused && isHeldBack
      ? (line: CaptureLine) => isHeldBack(line) || isRefused(line)
      : (isRefused ?? isHeldBack)
  return {
    ...(isHidden && { isHidden }),
    ...(refusal && { refusedBy: ({ key, time }) => refusal(key, time) }),
    ...(heldBack && { heldBack }),
  }
}
