import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLeft } from 'fp-ts/lib/Either.js'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import { resultsTopic } from '../src/domain/research/result-messages.ts'
import { research } from '../src/projections/research/projection.ts'
import { progress } from '../src/projections/research/questions/progress.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { episodeId, fillResearchLog, leaseOf, perLease, resultOf } from './research-log.ts'
import { benchSystem } from './system.ts'
import { expectSame } from './table.ts'

/*
 * Results of researchers from topic to view: each stage by itself, then all at once; and what an event takes in the log.
 * `node bench/research-intake.ts [messages] [episodes]`
 */

const total = Number(process.argv[2] ?? 100_000)
const episodes = Number(process.argv[3] ?? 500)
const clips = Math.ceil(total / episodes)

/** Every episode gets its results in turn: so many researchers are at work. */
const produceAll = async (system: System): Promise<void> => {
  for (let from = 0; from < total; from += 500) {
    const reports = Array.from({ length: Math.min(500, total - from) }, (_, i) => {
      const [episode, clip] = [(from + i) % episodes, Math.floor((from + i) / episodes)] as [number, number]
      const lease = episode * Math.ceil(clips / perLease) + Math.floor(clip / perLease)
      return {
        type: 'clip.researched',
        data: {
          ...resultOf(from + i, clip, system.clock.now()),
          episode: episodeId(episode),
          researcher: `listener-${lease % 20}`,
          lease: leaseOf(lease),
          final: clip % perLease === perLease - 1,
        },
      }
    })
    await reportOnTopic(system, resultsTopic, 'fonds://researcher', reports)
  }
}

const rates: [string, number, number][] = []
const timed = async (what: string, work: () => Promise<void>): Promise<void> => {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  rates.push([what, performance.now() - start, (user + system) / 1000])
}

const prepared = async () => {
  const made = await benchSystem()
  await fillResearchLog(join(made.home, 'fonds.db'), { episodes, clips, results: 0, leased: clips })
  await ensureTopics(made.system)
  await catchUp({ ...made.system, projections: [research] })
  return made
}

/** Every result has come to a pair. */
const expectShown = ({ viewStore, clock }: System): void =>
  expectSame('results in the views', progress(viewStore, clock.now()).researched, total)

const handled = async ({ broker, clock }: System): Promise<void> => {
  for (;;) {
    const groups = await broker.groups()()
    if (isLeft(groups)) throw new Error(JSON.stringify(groups.left))
    const ours = groups.right
      .filter(({ group }) => group === 'fonds.research.results')
      .flatMap(({ partitions }) => partitions)
    if (ours.length > 0 && ours.every(({ lag }) => lag === 0n)) return
    await clock.sleep(5)
  }
}

{
  const { system, home, dispose } = await prepared()
  await timed('produce', () => produceAll(system))
  await timed('decide and append', async () => {
    const running = await startRoles(system, ['processors'])
    await handled(system)
    await running.stop()
  })
  await timed('fold into views', () => catchUp({ ...system, projections: [research] }))
  expectShown(system)
  const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
  for (const row of db
    .prepare(
      `SELECT type, COUNT(*) AS events, AVG(length(data)) AS data, AVG(length(metadata)) AS metadata, AVG(length(id)) AS id
       FROM events WHERE type = 'ClipResearched' GROUP BY type`,
    )
    .all())
    console.log(row)
  console.log(db.prepare(`SELECT data, metadata FROM events WHERE type = 'ClipResearched' LIMIT 1`).get())
  const mib = Math.round(process.memoryUsage.rss() / 2 ** 20)
  console.log(`resident memory: ${mib} MiB`)
  db.close()
  await dispose()
}
{
  const { system, dispose } = await prepared()
  await produceAll(system)
  await timed('topic to view, all roles at once', async () => {
    const running = await startRoles(system, ['processors', 'reactions', 'projections'])
    await waitUntilIdle(system)
    await running.stop()
  })
  expectShown(system)
  await dispose()
}
for (const [what, millis, cpu] of rates)
  console.log(
    `${what.padEnd(34)} ${Math.round((total / millis) * 1000)
      .toLocaleString('en')
      .padStart(8)} messages/s  ${((cpu / total) * 1000).toFixed(1)} µs of CPU each`,
  )
