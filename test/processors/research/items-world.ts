import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import type { Command } from '#src/domain/kernel/decider.ts'
import { clipDecider } from '#src/domain/research/clip/decide.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { ItemTask } from '#src/domain/research/item-task.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { researcherDecider } from '#src/domain/research/researcher/decide.ts'
import { clipStream, episodeStream, researcherStream } from '#src/domain/research/terms.ts'
import type { Claimed, TaskQueue } from '#src/ports/task-queue.ts'
import { itemQueue } from '#src/processors/research/items.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { openTestViews } from '../../fakes/views.ts'

const deciders = { episode: episodeDecider, clip: clipDecider, researcher: researcherDecider }
const streams = { episode: episodeStream, clip: clipStream, researcher: researcherStream }

/** Episodes, clips and leases in a log, views that are folded when a test says so, and queues over them. */
export const itemsWorld = () => {
  const clock = fakeClock()
  const eventStore = fakeEventStore({ now: clock.now })
  const execute = executor(eventStore, streamStates(eventStore))
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  let causes = 0
  const settled: string[] = []
  const atHand = new Set<string>()

  /** A command, decided now; fails the test where it is refused. */
  const on = async (
    subject: keyof typeof deciders,
    id: string,
    command: { readonly type: string; readonly [field: string]: unknown },
  ) => {
    const outcome = await execute(deciders[subject] as never, {
      stream: streams[subject](id),
      command: { actor: 'ada', at: clock.now(), ...command } as Command,
      causationId: `cause ${causes++}`,
      correlationId: 'test',
    })
    if (isLeft(outcome) || outcome.right.kind === 'rejected')
      throw new Error(`${command.type}: ${JSON.stringify(outcome)}`)
  }
  const uriOf = (id: string) => `https://media.example/${id}`
  const curate = (subject: 'episode' | 'clip', ...ids: readonly string[]) =>
    Promise.all(
      ids.map((id) =>
        on(subject, id, {
          type: 'Curate',
          details: { title: id, mediaUri: uriOf(id), mediaType: 'audio/mpeg', curator: 'feed' },
          curatedAt: clock.now(),
        }),
      ),
    )

  return {
    clock,
    eventStore,
    execute,
    viewStore,
    on,
    uriOf,
    curate,
    /** One that is granted a second later than the one before. */
    grant: async (lease: string, episode: string, ...clips: readonly string[]) => {
      const policy = { ...defaultPolicy, version: 0 }
      await on('episode', episode, { type: 'Grant', policy, leases: [{ lease, clips }] })
      await clock.advance(1000)
    },
    fold: () => catchUp({ eventStore, viewStore, projections: [research] }),
    /** Media that need not be fetched. */
    atHand,
    /** What was given back or failed, and why. */
    settled,
    queue: (researcher = 'r', more: Partial<Parameters<typeof itemQueue>[0]> = {}): TaskQueue<ItemTask> =>
      itemQueue({
        execute,
        viewStore,
        clock,
        researcher,
        isAtHand: ({ uri }) => atHand.has(uri),
        restsUntil: () => undefined,
        release: async ({ lease }, reason) => void settled.push(`release ${lease}: ${reason}`),
        fail: async ({ lease }, reason) => void settled.push(`fail ${lease}: ${reason}`),
        ...more,
      }),
    typesOf: async (episode: string): Promise<readonly string[]> => {
      const read = await eventStore.read(episodeStream(episode), 'start', 'forward', 1000)()
      if (isLeft(read)) throw new Error(JSON.stringify(read.left))
      return read.right.map(({ type }) => type)
    },
  }
}

export const leasesOf = (claims: readonly Claimed<ItemTask>[]) => claims.map(({ task }) => task.lease)
