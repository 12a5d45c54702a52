import type { Policy, StoreEvent } from '../../domain/fixity/store/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './item-rows.ts'

export const storeHandlers: Handlers<StoreEvent, FixityTables> = {
  StoreRegistered: ({ kind, root, policy, at }, event, tables) =>
    tables['fixity-stores'].put({
      store: idOf(event.stream),
      kind,
      root: root ?? null,
      ...policyColumns(policy),
      registeredAt: at,
    }),
  PolicyChanged: ({ policy }, event, tables) => {
    const row = tables['fixity-stores'].get(idOf(event.stream))
    if (row) tables['fixity-stores'].put({ ...row, ...policyColumns(policy) })
  },
}

const policyColumns = ({ intervalDays, lagSeconds, replica }: Policy) => ({
  intervalDays,
  lagSeconds,
  replica: replica ? 1 : 0,
})
