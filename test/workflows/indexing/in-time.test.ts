import { appendFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '#src/app/config/config.ts'
import { fileStream } from '#src/domain/indexing/file.ts'
import type { Message } from '#src/domain/kernel/message.ts'
import { MINUTE, SECOND } from '#src/domain/kernel/time.ts'
import type { Broker, ProducerRecord } from '#src/ports/broker.ts'
import { indexingQueue } from '#src/processors/indexing/claims.ts'
import { indexingProcessor } from '#src/processors/indexing/processor.ts'
import { publisher } from '#src/processors/indexing/publisher.ts'
import { changeFilesOf } from '#src/workers/indexing/aggregator/change-files.ts'
import { refusedFilesOf } from '#src/workers/indexing/aggregator/refused-files.ts'
import { takeChanges } from '#src/workers/indexing/aggregator/take-changes.ts'
import type { Elsewhere } from '#src/workers/indexing/file-stat.ts'
import { indexJob } from '#src/workers/indexing/index-job.ts'
import { walkFolder } from '#src/workers/indexing/listing/walk-folder.ts'
import { policyIn } from '#src/workers/indexing/policy-in.ts'
import { pollSource } from '#src/workers/indexing/poll-source.ts'
import { createIndexPool } from '#src/workers/indexing/threads/index-pool.ts'
import { openTestIndex, scanned } from '../../infra/capture-index/lines.ts'
import { indexingWorld, named } from '../../processors/indexing/world.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { runWriterModule } from '../../workers/indexing/run-writer-module.ts'
import { temporaryFolder } from '../../workers/indexing/temporary-folder.ts'

const pool = createIndexPool(1, runWriterModule, MINUTE)
afterAll(() => pool.close())

const name = 'a.warc.gz'
const page = warc('http://example.org/')

/** A harvest that is stepped through, a minute at a time, with the settings that there are unless somebody sets others. */
const harvest = () => {
  const folder = temporaryFolder()
  const config = readConfig({ home: folder }, {})
  if (isLeft(config)) return expect.fail(config.left.join('; '))
  const { indexingPollSeconds, indexingOrder, indexingFormat: format } = config.right
  const world = indexingWorld()
  const { clock } = world
  const policy = policyIn(config.right)
  const warcs = join(folder, 'warcs')
  mkdirSync(warcs)
  const path = join(warcs, name)
  const runs = join(folder, 'index/runs')
  const index = openTestIndex(runs)
  const changes = changeFilesOf({ config: config.right })
  const refused = refusedFilesOf({ config: config.right })
  const signal = new AbortController().signal

  const handle = async (record: ProducerRecord) => {
    const data: unknown = JSON.parse(String(record.value))
    const message: Message = { id: '1', source: 'poller', type: 'file.sighted', time: clock.now(), data }
    for (const route of (await indexingProcessor(policy, clock, () => undefined).route([message])).flat())
      await world.run(route)
  }
  const broker = {
    produce: (records: readonly ProducerRecord[]) => async () => {
      for (const record of records) await handle(record)
      return { _tag: 'Right', right: [] }
    },
  } as unknown as Broker
  const poll = () =>
    pollSource('main', walkFolder(warcs), {
      ...world,
      broker,
      policy,
      source: 'poller',
      signal,
      onSkipped: (what) => expect.fail(what),
    })
  const lies = async () => expect.fail('it lies here')
  const elsewhere: Elsewhere = {
    streams: { stat: lies, withStream: lies, close: async () => {} },
    remote: { stat: lies, withCopy: lies, close: async () => {} },
    http: { stallMillis: MINUTE },
  }
  const work = async () => {
    await world.fold()
    const queue = indexingQueue({
      ...world,
      policy,
      worker: 'w',
      timeoutMillis: 5 * MINUTE,
      order: indexingOrder,
      reportFailure: async (_, reason) => expect.fail(reason),
    })
    for (const { task } of await queue.take(1)) {
      if (task.job.kind !== 'index') return expect.fail('it is to be compared')
      const tools = {
        pool,
        elsewhere,
        runs,
        format,
        clock,
        graceMillis: policy.graceMillis,
        requestKeys: false,
      }
      const outcome = await indexJob(task, task.job, tools, { signal, progress: () => {} })
      await world.on(named(name), { type: 'Report', fence: task.fence, outcome, policy })
    }
  }
  const fail = (_: object, message: string) => expect.fail(message)
  const publishing = publisher({
    listEmbargoes: async () => {},
    ...world,
    runOfLines: async () => undefined,
    add: changes.add,
    refuse: async ({ reason }) => expect.fail(reason),
    indexPlace: async () => ({ reached: 0n }),
    takenPlace: async () => ({ reached: 0n }),
  })
  /** As the leader and the aggregator do, which are seconds behind. */
  const publish = async () => {
    const events = (await world.eventsOf(fileStream(named(name)))).filter(
      ({ type }) => type === 'FileIndexed',
    )
    await publishing.handle({ events, position: 0n, caughtUp: true }, () => true, signal)
    await takeChanges(changes, refused, () => index, { error: fail as never })
  }
  return {
    grow: (bytes: Uint8Array) => {
      if (existsSync(path)) appendFileSync(path, bytes)
      else writeFileSync(path, bytes)
      const now = new Date(clock.now())
      utimesSync(path, now, now)
    },
    minute: async (n: number) => {
      if ((n * MINUTE) % (indexingPollSeconds * SECOND) === 0) await poll()
      await work()
      await publish()
      await clock.advance(MINUTE)
    },
    typesOf: () => world.typesOf(name),
    isFindable: async () => (await scanned(index)).length > 0,
  }
}

it.each([1, 14, 16, 29, 47])(
  'W1 a file that is written until minute %i is findable within the hour after it, and not before',
  async (last) => {
    const { grow, minute, isFindable, typesOf } = harvest()
    let n = 0
    for (; n <= last; n++) {
      // A record comes in two pieces: between them the file is no archive.
      grow(n % 2 === 0 ? page.subarray(0, 50) : page.subarray(50))
      await minute(n)
      expect(await isFindable()).toBe(false)
    }
    if (last % 2 === 0) grow(page.subarray(50))
    while (!(await isFindable()) && n < last + 120) await minute(n++)
    expect(n - last).toBeLessThanOrEqual(60)
    expect((await typesOf()).filter((type) => type === 'IndexingFailed')).toEqual([])
  },
)
