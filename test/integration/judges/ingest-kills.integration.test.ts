import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ensureTopics } from '../../../src/app/topics.ts'
import { everything } from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { openHome } from '../../e2e/open-home.ts'
import { ask, launch, until, useFolder } from '../../e2e/run-fonds.ts'
import { killInEveryStep } from '../ingest/kill-in-every-step.ts'
import { expectBytes, expectJobs, isOver } from '../ingest/outcome.ts'
import { useSources } from '../ingest/sources.ts'
import { nginxIsAbsent } from '../nginx.ts'
import { areAlive } from '../nodes/cluster.ts'
import { isAbsent, useRootJudges } from './ocfl-judges.ts'

/* Processes that take submissions in are killed at random moments of every step, with real files. */

const kills = roundsOr(10, 16)
const processes = 3
const slowNode = join(import.meta.dirname, '../ingest/slow-node.ts')
/** A killed one: its claims and its duties are free again after seconds. */
const missedSoon = { claimSeconds: 3, dutySeconds: 2, idleMinSeconds: 1, idleMaxSeconds: 1 }

describe.skipIf(isAbsent || nginxIsAbsent)('ingest', () => {
  it('X22 killed in every step: the storage root is valid, and each object is stored once, as its source is', async () => {
    const { seed, chance } = useSeed()
    const { home, root } = useFolder()
    const system = await openHome(home)
    onTestFinished(() => system.close())
    await ensureTopics(system)
    const sources = await useSources(root)
    const judgeRoot = useRootJudges()
    const storage = join(home, 'storage')
    const start = () => launch(process.execPath, [slowNode, home, JSON.stringify(missedSoon), '1000'])

    const live = Array.from({ length: processes }, start)
    await sources.handIn(system, 0)
    await until('storage is there', () => existsSync(storage))
    const killed = await killInEveryStep({
      system,
      chance,
      kills,
      everyStep: true,
      live,
      start,
      handIn: (round) => sources.handIn(system, round),
      submitted: sources.submitted,
      judge: async (when) => void (await judgeRoot(storage, when)),
    })
    await until(
      'every batch has come to its end',
      () => areAlive(live) && isOver(system.viewStore, sources.submitted()),
    )
    for (const { child } of live) child.kill('SIGKILL')
    await Promise.all(live.map(({ exit }) => exit))

    const events = await everything(system)
    const expired = events.filter(({ type }) => type === 'ClaimExpired').length
    console.log(`${events.length} events; ${expired} claims of the killed`)
    expect(expired).toBeGreaterThan(0)
    expectJobs(system.viewStore, sources)
    expectBytes(system.viewStore, storage, sources.objects)
    const objects = system.viewStore.tally('ingest-objects', { by: [] })[0]?.count
    expect(await judgeRoot(storage, 'at the end')).toBe(objects)
    expect(await ask(['ingest', 'audit'], { home })).toEqual([])
    const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
    expect(verdicts.filter(({ verdict }) => verdict !== 'equal')).toEqual([])
    tellFigures(seed, { kills: killed, acknowledged: sources.submitted() })
  })
})
