import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, vi } from 'vitest'
import { groupPositions } from '#src/app/lags.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { started, testSystem } from './archive.ts'
import { inHalves } from './in-halves.ts'

it('text that would be cut within a character stops no partition: what comes behind it is handled', async () => {
  const system = await testSystem({ partitions: 1 })
  await ensureTopics(system)
  const records = inHalves()
  const placed = await system.broker.produce(records)()
  if (isLeft(placed)) throw new Error(JSON.stringify(placed.left))
  await started(system, ['processors', 'projections'])
  await vi.waitUntil(
    async () => (await groupPositions(system)).every(({ committed, end }) => committed === end),
    60_000,
  )
  const letters = () => system.viewStore.query('dead-letters', {})
  await vi.waitUntil(() => letters().length === records.length - 1, 60_000)
  for (const { message } of letters()) expect((message as string).isWellFormed()).toBe(true)
})
