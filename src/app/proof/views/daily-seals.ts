import { orThrow } from '../../../async/unavailable.ts'
import {
  sealedViewEvents,
  sealedViewRecord,
  sealedViewStream,
} from '../../../domain/kernel/proof/tree-events.ts'
import { DAY, MINUTE } from '../../../domain/kernel/time.ts'
import type { ViewSnapshot } from '../../../ports/view-store.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import { inSnapshot, sealOf } from '../../../workflows/system/seal-view.ts'
import type { System } from '../../system.ts'

type SealedSystem = Pick<System, 'config' | 'viewStore' | 'eventStore' | 'execute' | 'clock' | 'log'>

export interface DailySeals {
  /** Seals the rows of views that were not examined for a day. A failure is logged, and it is tried again later. */
  ifDue(signal: AbortSignal): Promise<void>
}

/** Between two questions whether a view is due. A process that runs for less has other work. */
const pollMillis = 10 * MINUTE

/** States once a day which rows the views of this home have: of each that has others than were stated last. */
export const createDailySeals = (system: SealedSystem): DailySeals => {
  const { config, viewStore, clock, log } = system
  let last = clock.monotonic()
  /** When a view was examined. */
  const examined = new Map<string, number>()
  return {
    ifDue: async (signal) => {
      if (config.proofViews === 'none' || clock.monotonic() - last < pollMillis) return
      last = clock.monotonic()
      const isDue = ({ name }: { readonly name: string }) =>
        last - (examined.get(name) ?? Number.NEGATIVE_INFINITY) >= DAY
      const due = viewStore
        .views()
        .filter(({ name }) => isWanted(config.proofViews, name))
        .filter(isDue)
      if (due.length === 0) return
      try {
        await inSnapshot(viewStore, async (snapshot) => {
          for (const { name } of due) {
            await sealOne(system, snapshot, name, signal)
            examined.set(name, last)
          }
        })
      } catch (error) {
        if (!signal.aborted)
          log.warn({ err: error, part: 'sealer' }, 'cannot seal the rows of views; retrying later')
      }
    },
  }
}

const isWanted = (wanted: string, view: string): boolean =>
  wanted === 'all' || wanted.split(',').some((name) => name.trim() === view)

const sealOne = async (
  { eventStore, execute, clock }: SealedSystem,
  snapshot: ViewSnapshot,
  view: string,
  signal: AbortSignal,
): Promise<void> => {
  const stream = sealedViewStream(view)
  const [event] = await orThrow(eventStore.read(stream, 'end', 'backward', 1))
  const before = event && readOrStop(sealedViewEvents, event).data
  // A restart must not state it again within the day.
  if (before && Date.parse(clock.now()) - Date.parse(before.at) < DAY) return
  const sealed = await sealOf(snapshot, view, signal)
  if (
    before?.root === sealed.root &&
    before.rows === sealed.rows &&
    before.program.digest === sealed.program.digest
  )
    return
  const at = clock.now()
  await orThrow(() =>
    execute(sealedViewRecord, {
      stream,
      command: { type: 'Seal', actor: 'fonds/sealer', at, ...sealed },
      causationId: `${stream}/${sealed.position}/${at}`,
    }),
  )
}
