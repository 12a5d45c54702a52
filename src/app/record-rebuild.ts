import { errorMessage } from '../async/errors.ts'
import { orThrow } from '../async/unavailable.ts'
import { projectionStream, rebuildRecord } from '../domain/kernel/rebuild-record.ts'
import type { By, Rebuild, RebuildState } from './rebuild-state.ts'
import { type Sealing, sealedBy } from './sealed-by.ts'
import type { System } from './system.ts'

type Tools = Pick<System, 'execute' | 'clock' | 'log'> & Sealing

/** Writes down who wants a rebuild and why. `cause` names the rebuild. Throws `UnavailableError`. */
export const recordRequest = async (
  { execute, clock, ...sealing }: Pick<Tools, 'execute' | 'clock' | keyof Sealing>,
  { projection, verify, promote, ...by }: Rebuild,
  cause: string,
): Promise<void> => {
  const { actor, reason } = await orThrow(sealedBy(sealing, by))
  await orThrow(() =>
    execute(rebuildRecord, {
      stream: projectionStream(projection),
      command: { type: 'Request', actor, at: clock.now(), verify, promote, reason },
      causationId: cause,
      correlationId: cause,
    }),
  )
}

/** Writes down what came of it. Where the log is away, the process's own log has to do. */
export const recordEnd = async (
  { execute, clock, log, ...sealing }: Tools,
  rebuild: Rebuild,
  cause: string,
  stopping: By | undefined,
): Promise<void> => {
  const { projection, position, differences } = rebuild
  const outcome = endOf(rebuild.state)
  try {
    const stoppedBy = stopping && (await orThrow(sealedBy(sealing, stopping)))
    const reason = whyOf(rebuild, stoppedBy)
    await orThrow(() =>
      execute(rebuildRecord, {
        stream: projectionStream(projection),
        command: {
          ...{ type: 'End', actor: (outcome === 'stopped' && stoppedBy?.actor) || 'fonds/rebuild', outcome },
          ...{ at: clock.now(), position: String(position), differences: rowsIn(differences) },
          ...(reason !== undefined && { reason }),
        },
        causationId: `${cause}/ended`,
        correlationId: cause,
      }),
    )
  } catch (error) {
    log.warn(
      { error: errorMessage(error), projection },
      `cannot record the end of the rebuild of ${projection}`,
    )
  }
}

/** Keys whose rows are not the same; null where rows were not compared. */
export const rowsIn = (differences: Rebuild['differences']): number | null =>
  differences?.reduce((sum, { rows }) => sum + rows, 0) ?? null

type End = 'replaced' | 'different' | 'failed' | 'stopped'

const ends: ReadonlySet<RebuildState> = new Set<End>(['replaced', 'different', 'failed', 'stopped'])
const isEnd = (state: RebuildState): state is End => ends.has(state)
const endOf = (state: RebuildState): End => (isEnd(state) ? state : 'failed')

const whyOf = ({ state, error }: Rebuild, stoppedBy: By | undefined): string | undefined =>
  state === 'stopped' ? (stoppedBy?.reason ?? 'the process that did it ended') : (error ?? undefined)
