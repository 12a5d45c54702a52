import { expect, it } from 'vitest'
import { lanesQuestion } from '#src/projections/ingest/questions/lanes-question.ts'
import { asked } from './asking.ts'
import { folded } from './folding.ts'

const idOf = (number: number) => `6c1d7f4e-8a4d-4f0e-9d59-3a1f0c9d7e${20 + number}`

it('lanes count all batches of a state, show the first of them, and keep those that are empty', async () => {
  const all = folded()
  const { log } = all
  for (const number of [1, 2, 3]) log.submit({ id: idOf(number), number })
  log.batch(idOf(3), { type: 'HoldBatch', reason: 'wrong shelf' }, 'olga')
  const { answer, rows } = await asked(lanesQuestion, all.views, log.now(), { each: 1 })
  expect(answer.lanes).toMatchObject([
    { state: 'pending', count: 2, batches: [{ number: 1 }] },
    { state: 'held', count: 1, jobs: { open: 0, held: 0 }, batches: [{ number: 3, message: 'wrong shelf' }] },
    { state: 'processing', count: 0, batches: [] },
    { state: 'reporting', count: 0 },
    { state: 'update-reporting', count: 0 },
    { state: 'completed', count: 0 },
    { state: 'failed', count: 0 },
    { state: 'deleted', count: 0 },
  ])
  expect(rows).toHaveLength(2)
})
