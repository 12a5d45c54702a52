import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { expect, it } from 'vitest'
import { lastFactBehind } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { findings } from '../../../src/projections/ingest/questions/audit.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { launch, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { killInEveryStep } from '../ingest/kill-in-every-step.ts'
import { expectBytes, expectJobs, isOver } from '../ingest/outcome.ts'
import { useSources } from '../ingest/sources.ts'
import { isAbsent, useRootJudges } from '../judges/ocfl-judges.ts'
import { nginxIsAbsent } from '../nginx.ts'
import { server } from '../servers.ts'
import { areAlive, areHandled, contentOf, haveReached, observe, useLogKeeper, viewsOf } from './cluster.ts'

/* Ingest on three machines with one storage root and one work volume. */

const kafka = server('kafka')
const nodes = 3
const kills = roundsOr(4, 5)
const slowNode = join(import.meta.dirname, '../ingest/slow-node.ts')

it.skipIf('absent' in kafka || isAbsent || nginxIsAbsent)(
  'X22 on Kafka and a log that another keeps: nodes are killed at any step, each job completes and each object is stored once',
  async () => {
    const { seed, chance } = useSeed()
    const keeper = await useLogKeeper()
    const { folder, root } = useFolder()
    const storage = join(folder, 'storage')
    const settings = {
      broker: `kafka://${'absent' in kafka ? '' : kafka.address}`,
      topicPrefix: `${uuid()}-`,
      eventStore: keeper.address,
      partitions: 6,
      ingestStorage: storage,
      ingestWork: join(folder, 'work'),
      // Few at a time: there is work left at each kill.
      hands: 3,
      claimSeconds: 5,
      dutySeconds: 3,
      idleMinSeconds: 1,
      idleMaxSeconds: 1,
    }
    const system = await observe(settings)
    const sources = await useSources(root)
    const judgeRoot = useRootJudges()
    const homes = Array.from({ length: nodes }, () => useFolder().home)
    const start = (place: number) =>
      launch(process.execPath, [
        '--disable-warning=TimeoutNegativeWarning',
        slowNode,
        homes[place]!,
        JSON.stringify(settings),
        '6000',
      ])
    const live = homes.map((_, place) => start(place))
    await sources.handIn(system, 0)
    await until('storage is there', () => areAlive(live) && existsSync(storage))
    const killed = await killInEveryStep({
      system,
      chance,
      kills,
      everyStep: false,
      live,
      start,
      handIn: (round) => sources.handIn(system, round),
      submitted: sources.submitted,
      judge: async (when) => void (await judgeRoot(storage, when)),
    })

    const views = homes.map(viewsOf)
    await until(
      'all is taken in, and all views show it',
      () => areAlive(live) && isAtRest(system, views, sources.submitted()),
    )
    // The others may have done all before the last one has started: it cannot be asked to stop yet.
    await Promise.all(live.map((node) => node.says(/at work/)))
    expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))

    const events = await everything(system)
    const expired = events.filter(({ type }) => type === 'ClaimExpired').length
    console.log(`${events.length} events; ${expired} claims of the killed`)
    expect(expired).toBeGreaterThan(0)
    expectSoundLog(events)
    const [first, ...others] = views.map(contentOf)
    for (const other of others) expect(other).toEqual(first)
    expect(first!['dead-letters']).toEqual([])
    const [view] = views
    expect(findings(view!, system.clock.now())).toEqual([])
    expectJobs(view!, sources)
    expectBytes(view!, storage, sources.objects)
    expect(await judgeRoot(storage, 'at the end')).toBe(first!['ingest-objects']?.length)
    tellFigures(seed, { kills: killed, acknowledged: sources.submitted() })
  },
)

/** Every batch has come to its end, nothing is claimed, and all nodes show the same: what the last of them has told, too. */
const isAtRest = async (system: System, views: readonly ViewStore[], submitted: number): Promise<boolean> => {
  const head = await lastFactBehind(system, -1n)
  if (head === undefined || !(await areHandled(system))) return false
  if (!views.every((each) => haveReached(system, each, head) && isOver(each, submitted))) return false
  const [first, ...others] = views.map((each) => JSON.stringify(contentOf(each)))
  return others.every((other) => other === first)
}
