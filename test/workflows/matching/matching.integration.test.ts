import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { startRoles } from '#src/app/roles.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { type WorkUpdated, worksTopic } from '#src/domain/matching/messages.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { expectGrowing, expectMatched } from '../../e2e/matching/expectations.ts'
import { latest } from '../../e2e/matching/traffic.ts'
import { openHome } from '../../e2e/open-home.ts'
import { runs } from '../../runs.ts'

/* M9, M10: the whole way from the topic to the views, whatever order updates come in, however often, across restarts. */

const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G']

const update: fc.Arbitrary<Omit<WorkUpdated, 'sourceVersion'>> = fc.constantFrom(...ids).chain((id) =>
  fc.record({
    id: fc.constant(id),
    source: fc.constant(id < 'D' ? 'library' : 'pictures'),
    sourceModifiedAt: fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString()),
    state: fc.constantFrom('visible', 'visible', 'invisible', 'deleted'),
    title: fc.string({ maxLength: 3 }),
    links: fc.array(
      fc.record({ to: fc.constantFrom(...ids, 'nobody'), reason: fc.constantFrom('same as', 'part of') }),
      { maxLength: 3 },
    ),
  }),
)

/** Each update of a work is a version of its own; then any order, some of them several times, in some batches. */
const delivery = fc.array(update, { minLength: 1, maxLength: 25 }).chain((updates) => {
  const versioned = updates.map((one, n) => ({ ...one, sourceVersion: n + 1 }))
  return fc.record({
    versioned: fc.constant(versioned),
    delivered: fc
      .tuple(
        fc.shuffledSubarray(versioned, { minLength: versioned.length }),
        fc.array(fc.constantFrom(...versioned), { maxLength: 8 }),
      )
      .map(([all, again]) => [...all, ...again]),
    restartAfter: fc.nat({ max: versioned.length }),
  })
})

describe('from works to documents', () => {
  it('M9, M10: any order, repeats and a restart end where a fresh run ends', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, async ({ versioned, delivered, restartAfter }) => {
        const home = await mkdtemp(join(tmpdir(), 'fonds-matching-'))
        try {
          const interrupted = await atWork(home, delivered.slice(0, restartAfter))
          await interrupted.stop()
          const { system, stop } = await atWork(home, delivered.slice(restartAfter))
          await waitUntilIdle(system)
          const events = await everything(system)
          expectSoundLog(events)
          expectGrowing(events)
          expectMatched(system.viewStore, latest(versioned))
          expect(system.viewStore.query('dead-letters', {})).toEqual([])
          await stop()
        } finally {
          await rm(home, { recursive: true, force: true })
        }
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('a large component', () => {
  it('is merged apart, on a topic of its own, and whole', async () => {
    const home = await mkdtemp(join(tmpdir(), 'fonds-matching-'))
    try {
      const works = Array.from(
        { length: 1200 },
        (_, n): WorkUpdated => ({
          id: `w${n}`,
          source: 'library',
          sourceVersion: 1,
          sourceModifiedAt: '2026-01-01T00:00:00.000Z',
          state: 'visible',
          links: n === 0 ? [] : [{ to: 'w0', reason: 'same as' }],
        }),
      )
      const { system, stop } = await atWork(home, works)
      await waitUntilIdle(system)
      expectMatched(system.viewStore, latest(works))
      const last = system.viewStore.query('matching-graphs', {})[0]
      const topics = await system.broker.topics()()
      if (isLeft(topics)) throw new Error('the topics cannot be read')
      const sent = (name: string) =>
        topics.right.find((topic) => topic.name === name)?.offsets.reduce((sum, { end }) => sum + end, 0n)
      expect(last).toMatchObject({ size: 1200, waitingSince: null })
      expect(sent('fonds.matching.large-graphs')).toBeGreaterThan(0n)
      expect(sent('fonds.matching.graphs')).toBeGreaterThanOrEqual(sent('fonds.matching.large-graphs')!)
      await stop()
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})

/** Everything at work on some updates, which are all on their topic. */
const atWork = async (home: string, updates: readonly WorkUpdated[]) => {
  const system = await openHome(home, { durability: 'normal' })
  const roles = await startRoles(system, ['processors', 'reactions', 'projections'])
  const reports = updates.map((data) => ({ type: 'work.updated', data }))
  if (reports.length > 100) await reportOnTopic(system, worksTopic, 'test', reports)
  else for (const report of reports) await reportOnTopic(system, worksTopic, 'test', [report])
  const stop = async () => {
    await roles.stop()
    await system.close()
  }
  return { system, stop }
}
