import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { Unavailable } from '../ports/unavailable.ts'
import { blockOf, type DayOfEvents, eventsByDay } from '../projections/kernel/questions/events-by-day.ts'
import type { System } from './system.ts'

const pageSize = 512

/** As `eventsByDay`, of the events up to a position: whole blocks are counted out of the index, the events of the last one are read. */
export const eventsByDayUpTo = async (
  { eventStore, viewStore }: Pick<System, 'eventStore' | 'viewStore'>,
  types: readonly string[],
  since: string,
  last: bigint,
): Promise<Either<Unavailable, readonly DayOfEvents[]>> => {
  const block = blockOf(viewStore, last)
  const counts = new Map<string, DayOfEvents>()
  const add = ({ day, type, events }: DayOfEvents) => {
    const key = `${day} ${type}`
    counts.set(key, { day, type, events: events + (counts.get(key)?.events ?? 0) })
  }
  for (const one of eventsByDay(viewStore, types, since, block)) add(one)
  for (let position = BigInt(block); position < last; ) {
    const page = await eventStore.readAll(position, {}, pageSize)()
    if (isLeft(page)) return page
    for (const { position: here, type, recordedAt } of page.right.events)
      if (here <= last && types.includes(type) && recordedAt >= since)
        add({ day: recordedAt.slice(0, 10), type, events: 1 })
    position = page.right.position
    if (page.right.caughtUp) break
  }
  return right([...counts.values()].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)))
}
