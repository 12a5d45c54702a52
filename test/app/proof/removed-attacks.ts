import { isLeft } from 'fp-ts/lib/Either.js'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { retentionStream } from '#src/domain/kernel/retention.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { type Attack, edit } from './export-attacks.ts'
import { exportIn } from './exported.ts'
import { foreignEvent } from './retention-rounds.ts'
import { sealAll } from './sealer.ts'

/* A log whose stream `sensor-a` lost five events, of which a policy names three; and what both verifiers say of its export. */

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const by = { actor: 'ada', reason: 'schedule, no. 12', at: '2026-11-30T12:00:00.000Z' }

export const removedFrom = (stream: string, before: string, events: number, days = 30) => ({
  category: 'sensor',
  policy: { days, ...by },
  olderThan: daysAgo(30),
  streams: [{ stream, before, events }],
  events,
  isLast: true,
  at: daysAgo(0),
})

export const setPolicy = (store: Pick<EventStore, 'append'>, category: string): Promise<void> =>
  write(store, retentionStream(category), 'RetentionSet', { category, days: 30, ...by })

export const write = async (
  store: Pick<EventStore, 'append'>,
  stream: string,
  type: string,
  data: unknown,
): Promise<void> => {
  if (isLeft(await store.append(stream, 'any', [event(type, data)])())) throw new Error('not written')
}

/** Leaves 0 to 7 are of `sensor-a`; leaf 12 names its first three for removal. Nothing that other events name is covered by them. */
export const logWithRemoval = async (folder: string): Promise<EventStore> => {
  const store = openSqliteEventStore(openDatabase(`${folder}/fonds.db`))
  for (let n = 0; n < 8; n++) await foreignEvent(store, 'sensor-a', 90 - n)
  for (const stream of ['sensor-b', 'sensor-c']) await foreignEvent(store, stream, 3)
  await foreignEvent(store, 'sensor-d', 90)
  const names = (data: object, category = 'sensor') =>
    write(store, retentionStream(category), 'EventsRemoved', data)
  await setPolicy(store, 'sensor')
  await names(removedFrom('sensor-a', '3', 3))
  // It says nothing of a stream of another category, nor where it stands in another stream.
  await names(removedFrom('other-a', '9', 3))
  await names(removedFrom('sensor-a', '9', 3), 'other')
  // Nor by a policy that nobody set, of younger events, of those that the policy keeps, and once it was lifted.
  await names(removedFrom('sensor-a', '9', 3, 29))
  await names(removedFrom('sensor-b', '1', 1))
  await names({ ...removedFrom('sensor-c', '1', 1), olderThan: daysAgo(0) })
  await write(store, retentionStream('sensor'), 'RetentionLifted', { category: 'sensor', ...by })
  await names(removedFrom('sensor-d', '1', 1))
  for (let n = 0; n < 3; n++) await write(store, 'other-a', 'Measured', { n })
  await sealAll(folder, store)
  for (const [stream, before] of [
    ['sensor-a', 5],
    ['sensor-b', 1],
    ['sensor-c', 1],
    ['sensor-d', 1],
    ['other-a', 1],
  ] as const) {
    await store.setMetadata(stream, { $tb: before })()
    await store.scavenge!([{ stream, before: BigInt(before) }])()
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
  /unchecked +the data and metadata of 3 events, which leaf 12, revision 1 of retention-sensor, says were removed after 30 days, by ada: schedule, no\. 12/
const uncovered = [3, 4].map(
  (n) => new RegExp(`unchecked +leaf ${n}, revision ${n} of sensor-a: its data are not in the export`),
)
const others = [8, 9, 10].map(
  (n) => new RegExp(`unchecked +leaf ${n}, revision 0 of sensor-[bcd]: its data are not in the export`),
)
const other = /unchecked +leaf 20, revision 0 of other-a: its metadata are not in the export/

export const removals = {
  /** Each is found in what a verifier prints of the export as it is, which holds. */
  all: [covered, ...uncovered, ...others, other],
  covered,
}

/** Whoever has a further event said to be removed is found, and it is not said. */
export const removedAttacks: readonly Attack[] = [
  {
    name: 'an event that names more for removal than it did',
    change: edit('events.ndjson', (text) => text.replace('\\"before\\":\\"3\\"', '\\"before\\":\\"5\\"')),
    found: /leaf 12, .* its data were changed/i,
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
