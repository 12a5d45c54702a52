import { dayOf } from '../../domain/fixity/store/budget.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { FixityTables } from './tables.ts'

/** Adds what checks read of a store to the day on which the log has their outcome. */
export const noteRead = (
  tables: FixityTables,
  { recordedAt }: Pick<RecordedEvent, 'recordedAt'>,
  store: string,
  { checks, bytes }: { readonly checks: number; readonly bytes: number },
): void => {
  const table = tables['fixity-reads']
  const day = dayOf(recordedAt)
  const before = table.get(store, day)
  table.put({
    store,
    day,
    checks: (before?.checks ?? 0) + checks,
    bytes: (before?.bytes ?? 0) + bytes,
  })
}
