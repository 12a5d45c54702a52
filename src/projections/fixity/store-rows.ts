import { awaySecondsOf, type Policy, type StoreEvent } from '../../domain/fixity/store/events.ts'
import { storeRoot } from '../../domain/fixity/store/root.ts'
import { noSightings, type Sightings } from '../../domain/fixity/store/sightings.ts'
import { sighted } from '../../domain/fixity/store/state.ts'
import { sightingsIn, type stores } from '../../domain/fixity/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

type StoreRow = RowOf<typeof stores>

export const storeHandlers: Handlers<StoreEvent, FixityTables> = {
  StoreRegistered: ({ kind, root, policy, at }, event, tables) =>
    tables['fixity-stores'].put({
      store: idOf(event.stream),
      kind,
      root: root === undefined ? null : storeRoot(root),
      ...policyColumns(policy),
      registeredAt: at,
      away: null,
      ...sightingColumns(noSightings),
    }),
  PolicyChanged: ({ policy }, event, tables) => changeStore(tables, event, () => policyColumns(policy)),
  StoreMoved: ({ root }, event, tables) =>
    changeStore(tables, event, () => ({
      root: storeRoot(root),
      away: null,
      ...sightingColumns(noSightings),
    })),
  StoreAway: (data, event, tables) =>
    changeStore(tables, event, (row) => ({
      ...afterSight(row, { type: 'StoreAway', data }),
      away: data.why,
    })),
  StoreReturned: (data, event, tables) =>
    changeStore(tables, event, (row) => ({
      ...afterSight(row, { type: 'StoreReturned', data }),
      away: null,
    })),
  StoreGone: (data, event, tables) =>
    changeStore(tables, event, (row) => afterSight(row, { type: 'StoreGone', data })),
}

const changeStore = (
  tables: FixityTables,
  event: RecordedEvent,
  change: (row: StoreRow) => Partial<StoreRow>,
): void => {
  const row = tables['fixity-stores'].get(idOf(event.stream))
  if (row) tables['fixity-stores'].put({ ...row, ...change(row) })
}

const afterSight = (row: StoreRow, event: StoreEvent) =>
  sightingColumns(sighted(sightingsIn(row), event, row.awaySeconds))

const sightingColumns = ({ words, since, goneAt }: Sightings) => ({ words, awaySince: since, goneAt })

const policyColumns = (policy: Policy) => ({
  intervalDays: policy.intervalDays,
  lagSeconds: policy.lagSeconds,
  replica: policy.replica ? 1 : 0,
  awaySeconds: awaySecondsOf(policy),
  bytesPerDay: policy.bytesPerDay ?? null,
  newFiles: policy.newFiles ?? null,
  compareHours: policy.compareHours ?? null,
})
