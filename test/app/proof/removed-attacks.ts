import { isLeft } from 'fp-ts/lib/Either.js'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { retentionStream } from '#src/domain/kernel/retention.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { type Attack, edit } from './export-attacks.ts'
import { exportIn } from './exported.ts'
import { sealAll } from './sealer.ts'

/* A log whose stream `sensor-a` lost five events, of which a policy names three; and what both verifiers say of its export. */

const at = '2026-11-30T12:00:00.000Z'

export const removedFrom = (stream: string, before: string, events: number) => ({
  category: 'sensor',
  policy: { days: 30, actor: 'ada', reason: 'schedule, no. 12', at },
  olderThan: at,
  streams: [{ stream, before, events }],
  events,
  isLast: true,
  at,
})

export const write = async (
  store: Pick<EventStore, 'append'>,
  stream: string,
  type: string,
  data: unknown,
): Promise<void> => {
  if (isLeft(await store.append(stream, 'any', [event(type, data)])())) throw new Error('not written')
}

/** Leaves 0 to 7 are of `sensor-a`; leaf 8 names its first three for removal, leaf 9 three of `other-a`. */
export const logWithRemoval = async (folder: string): Promise<EventStore> => {
  const store = openSqliteEventStore(openDatabase(`${folder}/fonds.db`))
  for (let n = 0; n < 8; n++) await write(store, 'sensor-a', 'Measured', { n })
  await write(store, retentionStream('sensor'), 'EventsRemoved', removedFrom('sensor-a', '3', 3))
  // It says nothing of a stream of another category, nor where it stands in another stream.
  await write(store, retentionStream('sensor'), 'EventsRemoved', removedFrom('other-a', '9', 3))
  await write(store, retentionStream('other'), 'EventsRemoved', removedFrom('sensor-a', '9', 3))
  for (let n = 0; n < 3; n++) await write(store, 'other-a', 'Measured', { n })
  await sealAll(folder, store)
  for (const [stream, before] of [
    ['sensor-a', 5],
    ['other-a', 1],
  ] as const) {
    await store.setMetadata(stream, { $tb: before })()
    await store.scavenge!([stream])()
  }
  return store
}

export const exportWithRemoval = async (folder: string): Promise<string> => {
  const store = await logWithRemoval(folder)
  try {
    return (await exportIn(folder, store)).to
  } finally {
    await store.close()
  }
}

const covered =
  /unchecked +the data and metadata of 3 events, which leaf 8, revision 0 of retention-sensor, says were removed after 30 days, by ada: schedule, no\. 12/
const uncovered = [3, 4].map(
  (n) => new RegExp(`unchecked +leaf ${n}, revision ${n} of sensor-a: its data are not in the export`),
)
const other = /unchecked +leaf 11, revision 0 of other-a: its metadata are not in the export/

export const removals = {
  /** Each is found in what a verifier prints of the export as it is, which holds. */
  all: [covered, ...uncovered, other],
  covered,
}

/** Whoever has a further event said to be removed is found, and it is not said. */
export const removedAttacks: readonly Attack[] = [
  {
    name: 'an event that names more for removal than it did',
    change: edit('events.ndjson', (text) => text.replace('\\"before\\":\\"3\\"', '\\"before\\":\\"5\\"')),
    found: /leaf 8, .* its data were changed/i,
  },
  {
    name: 'a further event without its bytes',
    change: edit('events.ndjson', (text) => {
      const lines = text.split('\n')
      const { index, entry } = JSON.parse(lines[6]!)
      return lines.with(6, JSON.stringify({ index, entry })).join('\n')
    }),
    found: /unchecked +leaf 6, revision 6 of sensor-a: its data are not in the export/,
  },
]
