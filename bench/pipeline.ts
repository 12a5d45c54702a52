import { startRoles } from '../src/app/roles.ts'
import { settle } from '../src/app/settle.ts'
import type { System } from '../src/app/system.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { benchSystem, expectShown } from './system.ts'

/* Small messages from topic to view: each stage by itself, then all at once. `node bench/pipeline.ts [messages]` */

const total = Number(process.argv[2] ?? 200_000)
const checksum = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

/** Folder by folder, as archives come. */
const pathOf = (n: number) =>
  `folder-${String(Math.floor(n / 200)).padStart(5, '0')}/file-${String(n).padStart(7, '0')}.tif`

const produceAll = async (system: System) => {
  for (let i = 0; i < total; i += 500) {
    const reports = Array.from({ length: Math.min(500, total - i) }, (_, j) => ({
      type: 'content.recorded',
      data: {
        store: 'bench',
        path: pathOf(i + j),
        size: 12345,
        checksums: [checksum],
      },
    }))
    await reportOnTopic(system, contentTopic, 'fonds://bench', reports)
  }
}

const lines: [string, number][] = []
const timed = async (what: string, work: () => Promise<void>) => {
  const start = performance.now()
  await work()
  lines.push([what, performance.now() - start])
}

const mib = () => Math.round(process.memoryUsage().rss / 1024 / 1024)

{
  const { system, dispose } = await benchSystem()
  await ensureTopics(system)
  await timed('produce', () => produceAll(system))
  await timed('decide and append', async () => {
    const running = await startRoles(system, ['processors'])
    for (;;) {
      const groups = await system.broker.groups()()
      if (
        groups._tag === 'Right' &&
        groups.right.flatMap((g) => g.partitions).every(({ lag }) => lag === 0n) &&
        groups.right.length > 0
      )
        break
      await system.clock.sleep(5)
    }
    await running.stop()
  })
  await timed('fold into views', () => catchUp({ ...system, projections: [fixity] }))
  expectShown(system, total)
  await dispose()
}

{
  const { system, dispose } = await benchSystem()
  await ensureTopics(system)
  await produceAll(system)
  const before = mib()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, mib())
  }, 100)
  await timed('topic to view, all roles at once', async () => {
    const running = await startRoles(system, ['processors', 'reactions', 'projections'])
    await settle(system)
    await running.stop()
  })
  clearInterval(watch)
  expectShown(system, total)
  console.log(`resident memory: ${before} MiB before, ${most} MiB at most`)
  await dispose()
}

for (const [what, millis] of lines)
  console.log(
    `${what.padEnd(34)} ${Math.round((total / millis) * 1000)
      .toLocaleString('en')
      .padStart(8)} messages/s  ${((millis / total) * 1000).toFixed(1)} µs each`,
  )
