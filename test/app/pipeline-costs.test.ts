import { expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { produce, shown, started, testSystem } from './archive.ts'
import { type Counted, countStatements } from './statements.ts'

/* What a message costs from its topic to the views, in a process that does all there is: counted, as machines are noisy. */

const rolesAtWork = ['processors', 'reactions', 'projections'] as const

const counting = async () => {
  const system = await testSystem()
  const running = await started(system, rolesAtWork)
  await waitUntilIdle(system)
  const counted = countStatements()
  const send = async (paths: readonly string[]): Promise<Counted> => {
    await produce(system, ...paths.map((path) => ({ path })))
    await shown(system, running)
    return counted.since()
  }
  await send(Array.from({ length: 50 }, (_, n) => `known-${n}.txt`))
  return send
}

/** The least of some rounds: heartbeats of consumers and the leader's lease fall into others. */
const least = async (rounds: number, round: (n: number) => Promise<Counted>): Promise<Counted> => {
  const costs = { ...(await round(0)) }
  for (let n = 1; n < rounds; n++) {
    const more = await round(n)
    for (const what of Object.keys(more) as (keyof Counted)[]) costs[what] = Math.min(costs[what], more[what])
  }
  return costs
}

it('two thousand messages take a few commits, and no look for each stream', async () => {
  const send = await counting()
  const costs = await least(3, (n) => send(Array.from({ length: 2000 }, (_, i) => `${n}/${i}.txt`)))
  // One to produce them; then events of at most 250 of each partition share a commit with those of the others, and with the offsets
  // behind those before.
  expect(costs.logCommits).toBeLessThanOrEqual(8)
  expect(costs.streamLooks).toBeLessThanOrEqual(50)
  // Rows of the workflow and of the log's index, each at most with every commit; and the checkpoints of all others together.
  expect(costs.viewTransactions).toBeLessThanOrEqual(4 * costs.logCommits)
  expect(costs.viewQuestions).toBe(0)
})

it('a single message takes three commits; the checkpoints of all whom it does not concern share a transaction', async () => {
  const send = await counting()
  const costs = await least(10, (n) => send([`${n}.txt`]))
  // The message, its event, its offset.
  expect(costs.logCommits).toBe(3)
  // Of the first: the others leave the topics' ends as they are.
  expect(costs.topicLooks).toBe(1)
  // For the store's rules.
  expect(costs.streamLooks).toBeLessThanOrEqual(1)
  // Rows of the workflow, of the log's index, and the checkpoints of all others: projections, and what the leader does.
  expect(costs.viewTransactions).toBeLessThanOrEqual(4)
  expect(costs.viewQuestions).toBe(0)
})
