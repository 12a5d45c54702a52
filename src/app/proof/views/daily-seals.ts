import { orThrow } from '../../../async/unavailable.ts'
import {
  sealedViewEvents,
  sealedViewRecord,
  sealedViewStream,
} from '../../../domain/kernel/proof/statements.ts'
import { DAY } from '../../../domain/kernel/time.ts'
import type { ViewSnapshot } from '../../../ports/view-store.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import { inSnapshot, sealOf } from '../../../workflows/system/seal-view.ts'
import type { System } from '../../system.ts'
import type { DailyStatement } from '../daily-statements.ts'

type SealedSystem = Pick<System, 'config' | 'viewStore' | 'eventStore' | 'execute' | 'clock'>

/** States once a day which rows the views of this home have: of each that has others than were stated last. */
export const createViewSeals = (system: SealedSystem): DailyStatement => {
  const { config, viewStore, clock } = system
  /** When a view was examined. */
  const examined = new Map<string, number>()
  return {
    what: 'seal the rows of views',
    state: async (signal) => {
      if (config.proofViews === 'none') return
      const now = clock.monotonic()
      const isDue = ({ name }: { readonly name: string }) =>
        now - (examined.get(name) ?? Number.NEGATIVE_INFINITY) >= DAY
      const due = viewStore
        .views()
        .filter(({ name }) => isWanted(config.proofViews, name))
        .filter(isDue)
      if (due.length === 0) return
      await inSnapshot(viewStore, async (snapshot) => {
        for (const { name } of due) {
          await sealOne(system, snapshot, name, signal)
          examined.set(name, now)
        }
      })
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
      command: { type: 'Seal', actor: 'fonds/sealer', at, data: { ...sealed, at } },
      causationId: `${stream}/${sealed.position}/${at}`,
    }),
  )
}
