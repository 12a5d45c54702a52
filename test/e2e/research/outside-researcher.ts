import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { TopicSpec } from '../../../src/domain/kernel/message.ts'
import { researchersTopic } from '../../../src/domain/research/researcher-messages.ts'
import { resultsTopic } from '../../../src/domain/research/result-messages.ts'
import { type WorkItem, workItemsTopic } from '../../../src/domain/research/work-item.ts'
import { random } from '../crash/expectations.ts'
import { openHome } from '../open-home.ts'
import { clipResult } from './curating.ts'

/*
 * A researcher that is none of ours: it reads the topic of work items in a consumer group of its own, listens to nothing, and
 * reports what it has made up. It tells on standard output what it does, and each place where a message of it was put.
 * `chaos` is a seed: then it also does what the rules allow, and what they do not.
 */

export interface Ways {
  readonly home: string
  readonly researcher: string
  readonly settings?: object
  /** Kafka takes none below 6 s. */
  readonly sessionMillis?: number
  /** Pause before each report. */
  readonly gapMillis: number
  readonly chaos?: number
  /** Members of one group share the items; one in another reads all. */
  readonly group?: string
  /** Leases that it leaves to others. */
  readonly not?: readonly string[]
  /** Items that it takes at most: it lets others pass by. */
  readonly most?: number
}

const ways: Ways = JSON.parse(process.argv[2]!)
const {
  home,
  researcher,
  settings = {},
  sessionMillis = 2000,
  gapMillis,
  chaos,
  group = 'outside-researchers',
  not = [],
  most = Number.POSITIVE_INFINITY,
} = ways
const chance = chaos === undefined ? () => 1 : random(chaos)
const system = await openHome(home, settings, { sessionMillis })
const { broker, clock } = system
const say = (line: string) => writeSync(1, `${line}\n`)

const send = async (topic: TopicSpec, type: string, data: object, id = uuid()): Promise<void> => {
  const record = writeMessage(
    { id, source: `urn:outside:${researcher}`, type, time: clock.now(), data },
    topic,
  )
  for (;;) {
    const placed = await broker.produce([record])()
    if (!isLeft(placed)) {
      for (const { topic, partition, offset } of placed.right) say(`put ${topic}/${partition}/${offset}`)
      return
    }
    await setTimeout(50)
  }
}

const research = async ({ lease, episode: { id: episode }, clips }: WorkItem, signal: AbortSignal) => {
  say(`took ${lease} of ${clips.length}`)
  await send(resultsTopic, 'item.taken', { episode, lease, researcher, takenAt: clock.now() })
  for (const [i, { id: clip }] of clips.entries()) {
    await setTimeout(gapMillis * (chaos === undefined ? 1 : 2 * chance()))
    const last = i === clips.length - 1
    // Too early, and it goes on all the same; or never.
    const final = last ? chance() >= 0.2 : chance() < 0.05
    const result = clipResult({ episode, clip, researcher, final, ...(chance() >= 0.05 && { lease }) })
    const id = uuid()
    await send(resultsTopic, 'clip.researched', result, id)
    say(`reported ${i + 1}`)
    if (chance() < 0.1) await send(resultsTopic, 'clip.researched', result, id)
    if (chance() < 0.1) await send(resultsTopic, 'clip.researched', result)
    if (chance() < 0.05)
      await send(resultsTopic, 'lease.released', { episode, lease, researcher, releasedAt: clock.now() })
    // It hangs for as long as a lease lives, and then goes on.
    if (chance() < 0.02) await setTimeout(3500)
    if (signal.aborted && chance() < 0.5) return
  }
  say(`done ${lease}`)
}

await send(researchersTopic, 'researcher.registered', { researcher, at: clock.now() })
setInterval(() => void send(researchersTopic, 'researcher.beat', { researcher, at: clock.now() }), 1000)
let taken = 0
await broker.consume({ group, topics: [workItemsTopic.name], batchSize: 1 }, async ({ records }, signal) => {
  for (const { value } of records) {
    const item: WorkItem = JSON.parse(String(value))
    if (taken >= most || clock.now() >= item.notAfter || not.includes(item.lease)) continue
    taken++
    await research(item, signal)
  }
  return records.at(-1)!.offset + 1n
})
say('listening')
// Nobody is left who would end it: the test was killed.
const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(1), 1000).unref()
