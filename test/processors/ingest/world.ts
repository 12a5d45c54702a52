import { isRight } from 'fp-ts/lib/Either.js'
import { expect } from 'vitest'
import type { BatchCommand } from '#src/domain/ingest/batch/commands.ts'
import { batchDecider } from '#src/domain/ingest/batch/decide.ts'
import type { Batch } from '#src/domain/ingest/batch/state.ts'
import { batchStream, jobStream } from '#src/domain/ingest/ids.ts'
import type { JobCommand } from '#src/domain/ingest/job/commands.ts'
import { jobDecider } from '#src/domain/ingest/job/decide.ts'
import type { Job } from '#src/domain/ingest/job/state.ts'
import { topics } from '#src/domain/ingest/messages.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { causeOf, type Message } from '#src/domain/kernel/message.ts'
import { identifiers } from '#src/processors/ingest/identifiers.ts'
import { noteJobs } from '#src/processors/ingest/job-notes.ts'
import { takeIds, useIds } from '#src/processors/ingest/opening-reactions.ts'
import { deleteJobs } from '#src/processors/ingest/spreading-reactions.ts'
import { stepsProcessor } from '#src/processors/ingest/steps-processor.ts'
import { submissionsProcessor } from '#src/processors/ingest/submissions-processor.ts'
import { routeTo } from '#src/processors/runtime/route.ts'
import { deciding } from '../deciding.ts'

const never = new AbortController().signal

/** The smallest world in which ingest's processors live: a log, messages that are handled at once, reactions when a test says so. */
export const ingestWorld = () => {
  const world = deciding()
  const { clock, eventStore, states, execute, run } = world
  const processors = [submissionsProcessor(states, clock), stepsProcessor(clock)]
  const reactions = [takeIds, useIds(world), deleteJobs(states)]
  const notes = noteJobs({ execute, states })
  /** How far each reaction has come. */
  const positions = new Map([...reactions, notes].map(({ name }) => [name, -1n]))
  const sent: Message[] = []

  /** One that was sent before may be handled again. */
  const handle = async (message: Message): Promise<readonly string[]> => {
    const topic = topics.find(({ messages }) => messages.some(({ type }) => type === message.type))!
    const processor = processors.find((one) => one.topics.includes(topic))!
    const [routes = []] = await processor.route([message])
    const outcomes = []
    for (const route of routes) {
      const outcome = await run(route, causeOf(message))
      outcomes.push(outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind)
    }
    return outcomes
  }

  const send = (type: string, data: unknown, source = 'worker-1'): Promise<readonly string[]> => {
    const codec = topics.flatMap(({ messages }) => messages).find((spec) => spec.type === type)!.codec
    const decoded = codec.decode(data)
    if (!isRight(decoded)) expect.fail(`${type} is not valid: ${JSON.stringify(data)}`)
    const message = { id: `m${sent.length}`, source, type, time: clock.now(), data: decoded.right }
    sent.push(message)
    return handle(message)
  }

  const eventsAfter = async (name: string, limit: number) => {
    const { filter } = [...reactions, notes].find((one) => one.name === name)!
    const page = await eventStore.readAll(positions.get(name)!, filter, limit)()
    if (!isRight(page)) throw new Error('the log is not there')
    return page.right
  }

  /** Each reaction goes on by some events; true while one had any. */
  const react = async (limit = 1000): Promise<boolean> => {
    let any = false
    for (const { name, react } of reactions) {
      const { events, position } = await eventsAfter(name, limit)
      for (const event of events)
        for await (const routes of react(event, never)) for (const route of routes) await run(route, event.id)
      any ||= events.length > 0
      positions.set(name, position)
    }
    const batch = await eventsAfter(notes.name, limit)
    if (batch.events.length > 0) await notes.handle(batch, () => true, never)
    positions.set(notes.name, batch.position)
    return any || batch.events.length > 0
  }

  return {
    ...world,
    sent,
    handle,
    send,
    react,
    settle: async () => {
      while (await react());
    },
    /** What reactions did since is forgotten, and done again. */
    crash: (back: bigint) => {
      for (const [name, position] of positions) positions.set(name, position > back ? position - back : -1n)
    },
    onBatch: (id: string, command: object) =>
      run(
        routeTo(batchDecider, batchStream(id), {
          actor: 'ada',
          at: clock.now(),
          reason: 'asked',
          ...command,
        } as unknown as BatchCommand),
      ),
    onJob: (job: number, command: object) =>
      run(
        routeTo(jobDecider, jobStream(job), {
          actor: 'ada',
          at: clock.now(),
          reason: 'asked',
          ...command,
        } as unknown as JobCommand),
      ),
    batch: async (id: string): Promise<Batch> => {
      const loaded = await states.load(batchDecider, batchStream(id))
      return (isRight(loaded) ? loaded.right.state : undefined)!
    },
    job: async (job: number): Promise<Job> => {
      const loaded = await states.load(jobDecider, jobStream(job))
      return (isRight(loaded) ? loaded.right.state : undefined)!
    },
    all: async (): Promise<readonly RecordedEvent[]> => {
      const page = await eventStore.readAll(-1n, {}, 100_000)()
      return isRight(page) ? page.right.events : []
    },
    identifiers: identifiers({ execute, states, clock, worker: 'worker-1' }),
  }
}

export type IngestWorld = ReturnType<typeof ingestWorld>

export const batchIdOf = (n: number): string => `5b0c6f3e-8a4d-4f0e-9d59-${String(n).padStart(12, '0')}`
export const submission = {
  profile: 'default',
  submitter: 'bob@example.org',
  payload: { url: 'file:///drop/all.checkm' },
  mode: 'add',
}
export const listed = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    payload: { url: `file:///drop/${from + i}.tif`, type: 'file' },
    localIds: [],
  }))
export const claim = (world: Pick<IngestWorld, 'clock'>, task: object, minutes = 10) => ({
  holds: {},
  holder: 'worker-1',
  deadline: new Date(Date.parse(world.clock.now()) + minutes * 60_000).toISOString(),
  millis: minutes * 60_000,
  ...task,
})
