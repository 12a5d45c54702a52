import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, it } from 'vitest'
import { liveEvents } from '#src/api/live-events.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { EventBatch, EventStore } from '#src/ports/event-store.ts'
import { fakeClock, turns } from '../fakes/clock.ts'

const eventAt = (position: number): RecordedEvent => ({
  id: `e${position}`,
  stream: `fixity-a/${position}`,
  revision: 0n,
  position: BigInt(position),
  type: 'ContentRecorded',
  recordedAt: '2026-01-01T00:00:00.000Z',
  data: {},
  metadata: { actor: 'test', causationId: 'c', correlationId: 'c', schema: 1 },
})

const batch = (from: number, to: number, caughtUp: boolean): EventBatch => ({
  events: Array.from({ length: to - from + 1 }, (_, i) => eventAt(from + i)),
  position: BigInt(to),
  caughtUp,
})

/** What comes one after the other, from the beginning of an empty log on; `undefined`: half a second goes by. */
const told = async (batches: readonly (EventBatch | undefined)[]): Promise<readonly string[]> => {
  const clock = fakeClock()
  const over = new AbortController()
  const eventStore = {
    head: () => TE.right(-1n),
    subscribe: async function* () {
      for (const one of batches)
        if (one) yield one
        else await clock.sleep(500)
      await new Promise(() => {})
    },
  } as unknown as EventStore
  const steps: string[] = []
  const follow = async () => {
    for await (const bytes of liveEvents({ eventStore, clock })({ filter: {}, newest: 2 }, -1n, over.signal))
      steps.push(new TextDecoder().decode(bytes))
  }
  void follow()
  await turns(50)
  for (let i = 0; i < 10; i++) await clock.advance(500)
  over.abort()
  return steps.map((step) =>
    [...step.matchAll(/^(?:event: (left-out)|id: (-?\d+))$/gm)].map(([, name, id]) => name ?? id).join(' '),
  )
}

it('of all that comes within half a second the newest alone are told, in however many batches it comes', async () => {
  const steps = await told([batch(0, 3, false), batch(4, 7, false), batch(8, 9, true), batch(10, 10, true)])
  expect(steps).toEqual(['-1', 'left-out 7 8 9', '10'])
})

it('who does not catch up is told each half second', async () => {
  const steps = await told([batch(0, 3, false), undefined, batch(4, 7, false), batch(8, 9, false)])
  expect(steps).toEqual(['-1', 'left-out 5 6 7'])
})
