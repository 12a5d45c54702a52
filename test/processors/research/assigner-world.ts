import { isLeft, left } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import type { Command, Decider } from '../../../src/domain/kernel/decider.ts'
import { type DomainEvent, idOf, type RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Rejection } from '../../../src/domain/kernel/rejection.ts'
import { type CapacityEvent, capacityEvents } from '../../../src/domain/research/capacity.ts'
import { clipDecider } from '../../../src/domain/research/clip/decide.ts'
import { episodeDecider } from '../../../src/domain/research/episode/decide.ts'
import { type EpisodeEvent, episodeEvents } from '../../../src/domain/research/episode/events.ts'
import { policyDecider } from '../../../src/domain/research/policy/decide.ts'
import { defaultPolicy, type Policy } from '../../../src/domain/research/policy/policy.ts'
import { researcherDecider } from '../../../src/domain/research/researcher/decide.ts'
import {
  capacityCategory,
  capacityStream,
  clipStream,
  episodeCategory,
  episodeStream,
  policyStream,
  researcherStream,
} from '../../../src/domain/research/terms.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { assigner, assignerLimits } from '../../../src/processors/research/assigner.ts'
import { loadSchedulerState } from '../../../src/processors/research/load-scheduler-state.ts'
import { type Execute, executor } from '../../../src/processors/runtime/execute.ts'
import {
  type RunningSubscription,
  runSubscription,
} from '../../../src/processors/runtime/leader-subscription.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { fakeClock, turns } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { memorySnapshots } from '../../fakes/snapshot-store.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'

/** What becomes of the next appends to episodes: `before`, `after`: the log is away before or after it is done. */
export type Fault = 'none' | 'before' | 'after'

export type Granted = Extract<EpisodeEvent, { type: 'LeaseGranted' }>['data'] & { readonly episode: string }

/** Who and when is the world's to say. */
type Wanted<C> = C extends Command ? Omit<C, 'actor' | 'at'> : never

export type AssignerWorld = ReturnType<typeof assignerWorld>

/** A log, people and researchers who write to it, and assigners, each a process of its own. */
export const assignerWorld = (viewStore: ViewStore) => {
  const clock = fakeClock()
  const store = fakeEventStore({ now: clock.now, gap: 2n })
  const telemetry = recordedTelemetry()
  const snapshots = memorySnapshots()
  const warnings: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) })
  const faults: Fault[] = []
  /** Events that were read page by page. */
  const pages = { events: 0 }
  /** What happens just before an assigner's next append to an episode. */
  const before: (() => Promise<unknown>)[] = []
  const execute = executor(store, streamStates(store), async () => {})
  let causes = 0

  const give = async <S, C extends Command, E extends DomainEvent, R extends Rejection>(
    decider: Decider<S, C, E, R, unknown>,
    stream: string,
    command: Wanted<C>,
  ) => {
    const causationId = `cause ${++causes}`
    const whole = { actor: 'tester', at: clock.now(), ...command } as unknown as C
    const outcome = await execute(decider, {
      stream,
      command: whole,
      causationId,
      correlationId: causationId,
    })
    if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
    return outcome.right
  }

  const faulty: EventStore = {
    ...store,
    readAll: (after, filter, limit) => async () => {
      const page = await store.readAll(after, filter, limit)()
      if (!isLeft(page)) pages.events += page.right.events.length
      return page
    },
    append: (stream, expected, events) => async () => {
      if (!stream.startsWith(`${episodeCategory}-`)) return store.append(stream, expected, events)()
      await before.shift()?.()
      const fault = faults.shift() ?? 'none'
      const away = left({ kind: 'Unavailable' as const, reason: 'cut off' })
      if (fault === 'before') return away
      const done = await store.append(stream, expected, events)()
      return fault === 'after' ? away : done
    },
  }

  /** An assigner that is driven by hand, or followed. */
  const newAssigner = (
    limits: Partial<typeof assignerLimits> = {},
    wrap = (one: Execute) => one,
    itsClock: Clock = clock,
  ) =>
    assigner(
      {
        eventStore: faulty,
        snapshots,
        execute: wrap(executor(faulty, streamStates(faulty), async () => {})),
        clock: itsClock,
        telemetry,
        log,
      },
      { ...assignerLimits, ...limits },
    )

  const eventsIn = async (category: string): Promise<readonly RecordedEvent[]> => {
    const read = await store.readAll(-1n, { categories: [category] }, 1_000_000)()
    if (isLeft(read)) throw new Error(read.left.reason)
    return read.right.events
  }

  const capacity = async (): Promise<readonly CapacityEvent['data'][]> =>
    (await eventsIn(capacityCategory)).map((event) => {
      const read = capacityEvents.read(event)
      if (isLeft(read)) throw new Error(read.left)
      return read.right.data
    })

  const grants = async (): Promise<readonly Granted[]> =>
    (await eventsIn(episodeCategory)).flatMap((event) => {
      if (event.type !== 'LeaseGranted') return []
      const read = episodeEvents.read(event)
      if (isLeft(read)) throw new Error(read.left)
      const { type, data } = read.right
      return type === 'LeaseGranted' ? [{ ...data, episode: idOf(event.stream) }] : []
    })

  const curate = (id: string, firstCuratedAt: string, priority?: number) => ({
    type: 'Curate' as const,
    details: {
      title: id,
      mediaUri: `https://media.example/${id}.mp3`,
      mediaType: 'audio/mpeg',
      curator: 'feed',
      ...(priority !== undefined && { priority }),
    },
    firstCuratedAt,
    curatedAt: clock.now(),
  })
  const firstDay = '2025-01-01T00:00:00.000Z'

  return {
    clock,
    store,
    snapshots,
    telemetry,
    warnings,
    faults,
    before,
    pages,
    faulty,
    newAssigner,
    give,
    /** As the log has it. */
    scheduler: () =>
      loadSchedulerState({ eventStore: store, snapshots: memorySnapshots() }, new AbortController().signal),
    capacity,
    capacityDeleted: () => store.deleteStream(capacityStream, 'any', 'tombstone')(),
    grants,
    eventsIn,
    episode: (id: string, priority?: number) =>
      give(episodeDecider, episodeStream(id), curate(id, firstDay, priority)),
    clip: (id: string, priority?: number) =>
      give(clipDecider, clipStream(id), curate(id, firstDay, priority)),
    researcher: (id: string, presenceSeconds = 86_400) =>
      give(researcherDecider, researcherStream(id), { type: 'Register', presenceSeconds }),
    leave: (id: string) => give(researcherDecider, researcherStream(id), { type: 'Leave' }),
    policy: (policy: Partial<Policy>) =>
      give(policyDecider, policyStream, { type: 'SetPolicy', policy, reason: 'a test' }),
    assigning: (type: 'Pause' | 'Resume') => give(policyDecider, policyStream, { type, reason: 'a test' }),
    grant: (episode: string, lease: string, clips: readonly string[]) =>
      give(episodeDecider, episodeStream(episode), {
        type: 'Grant',
        policy: {
          leaseSeconds: defaultPolicy.leaseSeconds,
          itemSeconds: defaultPolicy.itemSeconds,
          attempts: defaultPolicy.attempts,
          version: 0,
        },
        leases: [{ lease, clips }],
      }),
    take: ({ episode, lease }: Pick<Granted, 'episode' | 'lease'>, researcher = 'r0') =>
      give(episodeDecider, episodeStream(episode), { type: 'Take', lease, researcher }),
    release: ({ episode, lease }: Pick<Granted, 'episode' | 'lease'>, researcher = 'r0') =>
      give(episodeDecider, episodeStream(episode), { type: 'Release', lease, researcher }),
    /** Followed as in the real thing. */
    start: (follower = newAssigner(), valid = () => true): RunningSubscription =>
      runSubscription(follower, {
        eventStore: faulty,
        viewStore,
        term: { isLeader: valid, positions: {} },
        clock,
        telemetry,
        log,
      }),
    /** Until everything that is ready has run, and nothing was written meanwhile. */
    settled: async (): Promise<void> => {
      for (let before = -2n, now = -1n; before !== now; ) {
        before = now
        await turns(400)
        const head = await store.head()()
        now = isLeft(head) ? now : head.right
      }
    },
  }
}

/** At no time was a pair under two leases that were active (F2): replays what the log says. */
export const pairsLeasedTwice = (events: readonly RecordedEvent[]): readonly string[] => {
  const twice: string[] = []
  const active = new Map<string, { readonly pairs: readonly string[]; deadline: string }>()
  for (const event of events) {
    const read = episodeEvents.read(event)
    if (isLeft(read)) throw new Error(read.left)
    const { type, data } = read.right
    if (type === 'LeaseGranted') {
      const pairs = data.clips.map((clip) => `${event.stream} ${clip}`)
      for (const [lease, other] of active)
        if (other.deadline > data.at)
          for (const pair of pairs)
            if (other.pairs.includes(pair)) twice.push(`${pair}: ${lease} and ${data.lease}`)
      active.set(data.lease, { pairs, deadline: data.deadline })
    }
    if (type === 'LeaseReleased' || type === 'LeaseRevoked' || type === 'LeaseExpired')
      active.delete(data.lease)
  }
  return twice
}
