import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '../../../infra/capture-index/capture-index.ts'
import { lastFactBehind } from '../../../src/app/lags.ts'
import { files } from '../../../src/domain/indexing/views.ts'
import { rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { type Started, start, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { scanned } from '../../infra/capture-index/lines.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { server } from '../servers.ts'
import {
  areAlive,
  areHandled,
  contentOf,
  haveReached,
  observe,
  startNode,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

/* Indexing on three machines with one folder of the index, and an aggregator that has nothing but that folder. */

const kafka = server('kafka')
const rounds = roundsOr(5)
const perRound = 12

it.skipIf('absent' in kafka)(
  'indexing W13, W18, W21, W22 on Kafka: three indexers and an aggregator are killed; each line is there once, none of a damaged file',
  async () => {
    const { seed, chance } = useSeed()
    const keeper = await useLogKeeper()
    const { folder, root: crawl } = useFolder()
    const index = join(folder, 'index')
    mkdirSync(index)
    const settings = {
      broker: `kafka://${'absent' in kafka ? '' : kafka.address}`,
      topicPrefix: `${uuid()}-`,
      eventStore: keeper.address,
      partitions: 6,
      indexingFolder: index,
      indexingSources: `main=${crawl}`,
      indexingPollSeconds: 1,
      indexingGraceSeconds: 1,
      indexingRetrySeconds: 1,
      indexingAttempts: 1000,
      claimSeconds: 3,
      idleMinSeconds: 1,
      idleMaxSeconds: 1,
    }
    const system = await observe(settings)

    /** Key and file of each line that is wanted, by file. */
    const wanted = new Map<string, readonly string[]>()
    let dates = 0
    const put = (name: string) => {
      const pages = Array.from({ length: 1 + Math.floor(chance() * 20) }, () => Math.floor(chance() * 1e9))
      const bytes = warc(...pages.map((page) => `http://example.org/${page}`))
      const isDamaged = !wanted.has(name) && chance() < 0.2
      writeFileSync(join(folder, name), isDamaged ? bytes.subarray(0, -1 - Math.floor(chance() * 40)) : bytes)
      const date = new Date(Date.now() - 3_600_000 + dates++ * 1000)
      utimesSync(join(folder, name), date, date)
      renameSync(join(folder, name), join(crawl, name))
      wanted.set(name, isDamaged ? [] : [...new Set(pages)].map((page) => `org,example)/${page} ${name}`))
    }

    const homes = Array.from({ length: 3 }, () => useFolder().home)
    const roles = 'processors,reactions,projections,workers'
    const live = homes.map((home) => startNode(home, settings, roles))
    const aggregator = (): Started =>
      start(['worker', 'aggregator'], {
        home: join(folder, 'none'),
        env: { FONDS_INDEXING_FOLDER: index, FONDS_INDEXING_AGGREGATE_SECONDS: '1' },
      })
    let aggregating = aggregator()
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < perRound; i++) put(`${Math.floor(chance() * rounds * perRound * 0.8)}.warc.gz`)
      await new Promise((resolve) => setTimeout(resolve, 1000 + chance() * 3000))
      const victim = Math.floor(chance() * homes.length)
      live[victim]!.child.kill('SIGKILL')
      await live[victim]!.exit
      live[victim] = startNode(homes[victim]!, settings, roles)
      if (round % 2 === 0) continue
      aggregating.child.kill('SIGKILL')
      await aggregating.exit
      aggregating = aggregator()
    }

    const captures = openCaptureIndex(join(index, 'runs'))
    onTestFinished(() => captures.close())
    const found = async () =>
      (await scanned(captures))
        .map((line) => `${line.slice(0, line.indexOf(' '))} ${line.split(' ').at(-1)}`)
        .sort()
    const all = [...wanted.values()].flat().sort()
    await until(
      'the index has all lines',
      async () => areAlive(live) && (await found()).join() === all.join(),
    )
    const views = homes.map(viewsOf)
    await until('all nodes are at rest, and show it', async () => {
      const head = await lastFactBehind(system, -1n)
      if (head === undefined || !(await areHandled(system))) return false
      return areAlive(live) && views.every((each) => haveReached(system, each, head))
    })
    await Promise.all(live.map((node) => node.says(/at work/)))
    expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))
    expect(await stop(aggregating)).toBe(0)

    // What was decided before the nodes stopped is in the index still, and once.
    expect(await found()).toEqual(all)
    const states = new Map(rowsIfFolded(views[0]!, files, {}).map(({ name, state }) => [name, state]))
    for (const [name, lines] of wanted) expect(states.get(name) === 'indexed', name).toBe(lines.length > 0)
    const events = await everything(system)
    expectSoundLog(events)
    console.log(
      `${events.length} events of ${wanted.size} files; ${all.length} lines; ${readdirSync(crawl).length} files lie there`,
    )
    expect(contentOf(views[0]!)['dead-letters']).toEqual([])
    tellFigures(seed, { kills: rounds + Math.floor(rounds / 2), acknowledged: all.length })
  },
)
