import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { historyOf } from '#src/app/event-reading.ts'
import type { Elsewhere } from '#src/workflows/workflow-model.ts'
import { event } from '../contracts/new-event.ts'
import { fakeEventStore } from '../fakes/event-store.ts'

it('a history goes on behind the first page of events in other streams', async () => {
  const store = fakeEventStore({ gap: 3n })
  const positions: bigint[] = []
  for (let n = 0; n < 25; n++) {
    const written = await store.append(`batch-${n}`, 'any', [event('Checked', { n })])()
    if (isLeft(written)) throw new Error('not written')
    positions.push(written.right.position)
  }
  const elsewhere: Elsewhere = {
    positions: (from, limit) => positions.filter((one) => one >= from).slice(0, limit),
    positionsBefore: () => [],
    partOf: (one) => one,
  }
  const found: string[] = []
  for (let from: bigint | undefined = 0n; from !== undefined; ) {
    const page: Awaited<ReturnType<typeof historyOf>> = await historyOf(store, [], from, 10, [elsewhere])
    if (isLeft(page)) throw new Error('not read')
    found.push(...page.right.events.map(({ stream }) => stream))
    from = page.right.through === undefined ? undefined : page.right.through + 1n
  }
  expect(found).toEqual(positions.map((_, n) => `batch-${n}`))
})
