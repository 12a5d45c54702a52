import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { v4 as uuid } from 'uuid'
import { expect, it } from 'vitest'
import { lastFactBehind } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { batches, claims, jobs, objects, versions } from '../../../src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { findings } from '../../../src/projections/ingest/questions/audit.ts'
import { newBatch, submitBatch } from '../../../src/workers/ingest/submit/submit.ts'
import { writeContent } from '../../e2e/archive.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import {
  areAlive,
  areHandled,
  contentOf,
  haveReached,
  isAtWork,
  type Node,
  observe,
  startNode,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

/* Ingest on three machines with one storage root and one work volume. */

const kafka = server('kafka')
const nodes = 3
/** In each, two of the nodes are killed. */
const rounds = roundsOr(3)
/** Files that each round hands in: there is work at each kill. */
const lettersOfRound = 20

it.skipIf('absent' in kafka)(
  'ingest on Kafka and a log that another keeps: nodes are killed, each job completes and each object is stored once',
  async () => {
    const { chance } = useSeed()
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
      idleMinSeconds: 1,
      idleMaxSeconds: 1,
    }
    const system = await observe(settings)
    const homes = Array.from({ length: nodes }, () => useFolder().home)
    const work = (home: string) => startNode(home, settings, 'processors,reactions,projections,workers')
    const live = homes.map(work)
    await until('all nodes at work', () => live.every(isAtWork))

    const texts: string[] = []
    const views = homes.map(viewsOf)
    for (let round = 0; round < rounds; round++) {
      const ofRound = Array.from({ length: lettersOfRound }, (_, i) => `letter ${i} of round ${round}`)
      texts.push(...ofRound)
      await submitLetters(system, join(root, String(round)), ofRound)
      const worker = await until('a node works on a job', () => areAlive(live) && workingOn(views, live))
      await new Promise((resolve) => setTimeout(resolve, chance() * 300))
      const beside = (worker + 1 + Math.floor(chance() * (nodes - 1))) % nodes
      for (const victim of [worker, beside]) {
        live[victim]!.child.kill('SIGKILL')
        await live[victim]!.exit
        live[victim] = work(homes[victim]!)
      }
    }

    await until('all is taken in, and all views show it', () => areAlive(live) && isAtRest(system, views))
    expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))

    const events = await everything(system)
    const expired = events.filter(({ type }) => type === 'ClaimExpired').length
    console.log(`${2 * rounds} kills; ${events.length} events; ${expired} claims of the killed`)
    expect(expired).toBeGreaterThan(0)
    expectSoundLog(events)
    const [first, ...others] = views.map(contentOf)
    for (const other of others) expect(other).toEqual(first)
    expect(first!['dead-letters']).toEqual([])
    const [view] = views
    expect(findings(view!, system.clock.now())).toEqual([])
    expectCompleted(view!, texts.length)
    expect(textsIn(storage)).toEqual(texts.toSorted())
  },
)

/** Each of them an object of its own. */
const submitLetters = (system: System, folder: string, texts: readonly string[]): Promise<void> => {
  texts.forEach((text, i) => {
    writeContent(folder, `${i}.txt`, text)
  })
  const payload = { url: `${pathToFileURL(folder).href}/`, type: 'each-file' } as const
  const submission = { profile: 'default', submitter: 'ada', mode: 'add', payload } as const
  return submitBatch(system, newBatch(undefined), submission, 'urn:test:depositor')
}

/** The place of a living node that holds the claim of a job. */
const workingOn = (views: readonly ViewStore[], live: readonly Node[]): number | undefined => {
  const holders = views.flatMap((each) =>
    rowsIfFolded(each, claims, { where: [is('kind', 'job')] }).map(({ holder }) => holder),
  )
  const place = live.findIndex(({ child }) => holders.some((holder) => holder.includes(`/${child.pid}/`)))
  return place === -1 ? undefined : place
}

/** Every batch has come to its end, nothing is claimed, and all nodes show the same: what the last of them has told, too. */
const isAtRest = async (system: System, views: readonly ViewStore[]): Promise<boolean> => {
  const head = await lastFactBehind(system, -1n)
  if (head === undefined || !(await areHandled(system))) return false
  if (!views.every((each) => haveReached(system, each, head) && isOver(each))) return false
  const [first, ...others] = views.map((each) => JSON.stringify(contentOf(each)))
  return others.every((other) => other === first)
}

const isOver = (views: ViewStore): boolean => {
  const rows = rowsIfFolded(views, batches, {})
  return (
    rows.length === rounds &&
    rows.every(({ state, task }) => (state === 'completed' || state === 'failed') && task === null) &&
    rowsIfFolded(views, claims, {}).every(({ kind }) => kind === 'volume')
  )
}

/** Every job is completed, and has stored one version of an object that is its own. */
const expectCompleted = (views: ViewStore, count: number): void => {
  const rows = rowsIfFolded(views, jobs, {})
  const ended = rows.map(({ job, state, message }) => ({ job, state, message }))
  expect(ended.filter(({ state }) => state !== 'completed')).toEqual([])
  expect(rows).toHaveLength(count)
  const ofJobs = rows.map(({ job, ark }) => `${job} ${ark} 1`).toSorted()
  const stored = rowsIfFolded(views, versions, {})
  expect(stored.map(({ job, object, version }) => `${job} ${object} ${version}`).toSorted()).toEqual(ofJobs)
  const known = rowsIfFolded(views, objects, {})
  expect(known.map(({ job, object, version }) => `${job} ${object} ${version}`).toSorted()).toEqual(ofJobs)
}

/** What the objects in storage hold that a depositor gave, by the bytes that are there. */
const textsIn = (storage: string): readonly string[] =>
  globSync('**/0=ocfl_object_*', { cwd: storage })
    .flatMap((declared) =>
      globSync('v*/content/producer/*', { cwd: join(storage, dirname(declared)) }).map((path) =>
        readFileSync(join(storage, dirname(declared), path), 'utf8'),
      ),
    )
    .toSorted()
