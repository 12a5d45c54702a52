import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { writeMessage } from '#src/domain/kernel/cloud-event.ts'
import type { DeadLetter } from '#src/domain/kernel/dead-letter.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { generationsStream } from '#src/domain/matching/generations/events.ts'
import {
  type Cause,
  type GraphChanged,
  type Group,
  graphStream,
  type Member,
} from '#src/domain/matching/graph/events.ts'
import type { Document } from '#src/domain/matching/merged/document.ts'
import type { MergedEventOf } from '#src/domain/matching/merged/events.ts'
import type { MergeWork } from '#src/domain/matching/merged/target.ts'
import { type GraphChangedMessage, graphsTopic } from '#src/domain/matching/messages.ts'
import { works } from '#src/domain/matching/views.ts'
import { byId, type WorkState, workStream } from '#src/domain/matching/work.ts'
import type { BrokerRecord } from '#src/ports/broker.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { merger } from '#src/processors/matching/merger.ts'
import { batchHandler } from '#src/processors/runtime/batch-handler.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { partitionWatch } from '#src/processors/runtime/resting.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { openTestViews } from '../../fakes/views.ts'

/** What a test says of a work; its revision is counted up. */
export interface Said {
  readonly source?: string
  readonly state?: WorkState
  readonly title?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

interface PublishOptions {
  readonly generation?: number
  readonly at?: number
  readonly causes?: readonly Cause[]
}

/** What the merger lives from: a log with changes of graphs, and the view of works. Tests write both. */
export const mergerWorld = ({
  maxWrittenWhole,
  ...options
}: {
  readonly maxAppendSize?: number
  readonly maxWrittenWhole?: number
} = {}) => {
  const clock = fakeClock()
  const eventStore = fakeEventStore({ now: clock.now, ...options })
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const telemetry = recordedTelemetry()
  const revisions = new Map<string, number>()
  const contents = new Map<string, MergeWork>()
  let version = 1_000_000
  let position = 0n

  const openView = () => viewStore.promote(viewStore.create('matching', 1, [works]))
  openView()

  const put = (work: string, revision: number, said: Said = {}) => {
    const from = position++ - 1n
    viewStore.fold(viewStore.live('matching')!, from, { position: from + 1n, time: clock.now() }, (tables) =>
      tables['matching-works']!.put({
        work,
        source: said.source ?? 'sierra',
        sourceVersion: revision,
        sourceModifiedAt: clock.now(),
        state: said.state ?? 'visible',
        title: said.title ?? null,
        links: [],
        fields: said.fields ?? null,
        revision,
        updatedAt: clock.now(),
        corrections: 0,
        unmatchedSince: null,
      }),
    )
  }

  /** The next word of the source: in the view alone, which the log is only asked beside. */
  const work = (id: string, said: Said = {}): void => {
    const revision = (revisions.get(id) ?? -1) + 1
    revisions.set(id, revision)
    contents.set(id, { id, source: 'sierra', state: 'visible', ...said })
    put(id, revision, said)
  }

  /** The next event of a work in the log; the view lags. */
  const logged = async (id: string, type: string, data: object): Promise<void> => {
    revisions.set(id, await write(workStream(id), type, data))
  }

  const memberOf = (id: string): Member => [id, revisions.get(id) ?? 0]

  const groupOf = (ids: readonly string[]): Group => {
    const members = ids.toSorted(byId).map(memberOf)
    return {
      component: members[0]![0],
      size: members.length,
      piece: 0,
      pieces: 1,
      members,
      placeholders: [],
    }
  }

  /** A component cut into pieces of so many works. */
  const piecesOf = (ids: readonly string[], size: number): readonly Group[] => {
    const whole = groupOf(ids)
    const pieces = Math.ceil(whole.size / size)
    return Array.from({ length: pieces }, (_, piece) => ({
      ...whole,
      piece,
      pieces,
      members: whole.members.slice(piece * size, (piece + 1) * size),
    }))
  }

  const write = async (stream: string, type: string, data: unknown) => {
    const appended = await eventStore.append(stream, 'any', [{ ...event(type), data }])()
    if (isLeft(appended)) throw new Error(JSON.stringify(appended.left))
    return Number(appended.right.revision)
  }

  const nextVersion = () => ++version

  /** The matcher's word: one event with these groups. Returns what the sender makes of it. */
  const publish = async (
    groups: readonly Group[],
    { generation = 1, at = nextVersion(), causes = [] }: PublishOptions = {},
  ): Promise<readonly GraphChangedMessage[]> => {
    const change: GraphChanged = {
      version: at,
      timeSent: clock.now(),
      through: '0',
      causes: [...causes],
      groups: [...groups],
      dropped: [],
    }
    const revision = await write(graphStream(generation), 'GraphChanged', change)
    return groups.map(({ component, size, members }, group) => ({
      generation,
      version: at,
      timeSent: change.timeSent,
      revision,
      group,
      component,
      size,
      members,
    }))
  }

  let offset = 0n
  /** As the sender puts it on the topic: the same content has the same id; each time it has another place. */
  const record = (data: GraphChangedMessage): BrokerRecord => ({
    ...writeMessage(
      {
        id: `${data.generation}/${data.revision}/${data.group}`,
        source: 'fonds://matching',
        type: 'graph.changed',
        time: clock.now(),
        data,
      },
      graphsTopic,
    ),
    partition: 0,
    offset: offset++,
    timestamp: clock.now(),
  })

  /** A process of its own: it knows nothing but what is kept. */
  const start = (store: EventStore = eventStore) => {
    const execute = executor(store, streamStates(store), async () => {})
    const processor = merger({ eventStore: store, viewStore, clock, execute }, maxWrittenWhole)
    const handler = batchHandler(processor, {
      broker: { id: 'log-1' },
      execute,
      partitions: partitionWatch({ clock, log: pino({ level: 'silent' }) }),
      clock,
      telemetry,
      log: pino({ level: 'silent' }),
    })
    const { signal } = new AbortController()
    return {
      processor,
      redeliver: (records: readonly BrokerRecord[]) =>
        handler({ topic: graphsTopic.name, partition: 0, records }, signal),
      deliver: (messages: readonly GraphChangedMessage[]) =>
        handler({ topic: graphsTopic.name, partition: 0, records: messages.map(record) }, signal),
    }
  }

  const eventsIn = async (category: string): Promise<readonly RecordedEvent[]> => {
    const read = await eventStore.readAll(-1n, { categories: [category] }, 100_000)()
    if (isLeft(read)) throw new Error(read.left.reason)
    return read.right.events
  }

  /** Every document that was ever accepted: work, version, document. */
  const accepted = async () =>
    (await eventsIn('merged'))
      .filter(({ type }) => type === 'WorkMerged')
      .map(({ stream, data }) => {
        const { generation, version, document } = data as {
          generation: number
          version: number
          document: Document
        }
        return { work: stream.slice('merged-'.length), generation, version, document }
      })

  return {
    clock,
    eventStore,
    viewStore,
    telemetry,
    openView,
    work,
    logged,
    groupOf,
    piecesOf,
    write,
    publish,
    /** One event with these components. */
    change: (...groups: readonly (readonly string[])[]) => publish(groups.map(groupOf)),
    nextVersion,
    record,
    start,
    accepted,
    /** What `work` said last. */
    content: (id: string): MergeWork => contents.get(id)!,
    /** At which versions components were marked. */
    marks: async () =>
      (await eventsIn('merged'))
        .filter(({ type }) => type === 'GraphMerged')
        .map(({ stream, data }) => ({
          work: stream.slice('merged-'.length),
          ...(data as MergedEventOf<'GraphMerged'>['data']),
        })),
    /** What stands for each work in the end. */
    index: async (generation = 1) =>
      new Map(
        (await accepted())
          .filter((one) => one.generation === generation)
          .map(({ work, version, document }) => [work, { version, document }]),
      ),
    letters: async () => (await eventsIn('deadletter')).map(({ data }) => data as DeadLetter),
    refusals: async () => (await eventsIn('refusal')).map(({ data }) => data),
    generation: (type: string, data: object) =>
      write(generationsStream, type, { reason: 'test', at: clock.now(), ...data }),
  }
}

export type MergerWorld = ReturnType<typeof mergerWorld>

/** Every component of more than one work has a mark. */
export const withWorks = (...ids: readonly string[]): MergerWorld => {
  const world = mergerWorld({ maxWrittenWhole: 1 })
  for (const id of ids) world.work(id, { title: id })
  return world
}
