import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { placesWith } from '#src/domain/ingest/bucket-events.ts'
import { type DropCommand, dropDecider, sightedMillis } from '#src/domain/ingest/drop/decide.ts'
import type { DropEvent } from '#src/domain/ingest/drop/events.ts'
import { addMillis } from '#src/domain/kernel/time.ts'

const at = '2026-01-31T12:00:00.000Z'

/** Types of the events that the commands make, one after the other. */
const made = (
  ...commands: readonly (readonly [Pick<DropCommand, 'type'> & { reason?: string }, number])[]
) => {
  let state = dropDecider.initial
  return commands.map(([command, millis]) => {
    const decided = dropDecider.decide(
      { ...command, at: addMillis(at, millis), actor: 'test' } as DropCommand,
      state,
    )
    const events = isRight(decided) ? (decided.right as readonly DropEvent[]) : []
    for (const event of events) state = dropDecider.evolve(state, event)
    return events.map(({ type }) => type).join()
  })
}

it('notifications that come before the place is listed are one event', () => {
  const sight = { type: 'SightDrops' } as const
  expect(
    made([sight, 0], [sight, sightedMillis - 1], [sight, sightedMillis], [sight, sightedMillis + 1]),
  ).toEqual(['DropsSighted', '', 'DropsSighted', ''])
})

it('a clock that was put back keeps no notification from being an event', () => {
  const sight = { type: 'SightDrops' } as const
  expect(made([sight, 60_000], [sight, 0])).toEqual(['DropsSighted', 'DropsSighted'])
})

it('the same reason is one event, and so is its end', () => {
  const report = (reason?: string) => ({ type: 'ReportDrops', ...(reason && { reason }) }) as const
  expect(
    made(
      [report(), 0],
      [report('a'), 1],
      [report('a'), 2],
      [{ type: 'SightDrops' }, 3],
      [report('a'), 4],
    ).concat(made([report('a'), 0], [report('b'), 1], [report(), 2], [report(), 3])),
  ).toEqual(['', 'DropsRefused', '', 'DropsSighted', '', 'DropsRefused', 'DropsRefused', 'DropsAccepted', ''])
})

it.each([
  ['in/a.txt', ['s3://bucket/in']],
  ['in/b/c.txt', ['s3://bucket/in', 's3://bucket/in/b']],
  ['inner/a.txt', []],
  ['in/../b/c.txt', []],
])('%s is below %j', (key, places) => {
  const change = { bucket: 'bucket', key, isDeleted: false, at }
  const all = ['s3://bucket/in', 's3://bucket/in/b', 's3://other/in']
  expect(placesWith(change, all)).toEqual(places)
  expect(placesWith({ ...change, isDeleted: true }, all)).toEqual([])
})
