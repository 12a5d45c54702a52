import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import type { FixityCommand } from '#src/domain/fixity/commands.ts'
import { decider } from '#src/domain/fixity/decide.ts'
import { type Item, itemStream } from '#src/domain/fixity/item.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { type Policy, storeStream } from '#src/domain/fixity/store/events.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Row } from '#src/ports/view-store.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import type { Plan } from '#src/processors/runtime/processor.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'

/** The smallest world in which fixity's processors live: a log, views that are folded when a test says so, a clock. */
export const fixityWorld = () => {
  const clock = fakeClock()
  const eventStore = fakeEventStore({ now: clock.now })
  const states = streamStates(eventStore)
  const execute = executor(eventStore, states)
  const viewStore = openViewStore(':memory:')
  onTestFinished(() => viewStore.close())
  let causes = 0

  const run = async (plan: Plan, causationId = `cause ${causes++}`) => {
    const outcome = await execute(plan.decider, {
      stream: plan.stream,
      command: plan.command as never,
      causationId,
      correlationId: causationId,
    })
    if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
    return outcome.right
  }

  const streamOf = async (item: Item): Promise<readonly RecordedEvent[]> => {
    const read = await eventStore.read(itemStream(item), 'start', 'forward', 1000)()
    if (isLeft(read)) throw new Error(JSON.stringify(read.left))
    return read.right
  }

  return {
    clock,
    eventStore,
    states,
    execute,
    viewStore,
    log: pino({ level: 'silent' }),
    run,
    /** A command on an item, decided now. */
    on: (item: Item, command: Omit<FixityCommand, 'item' | 'at' | 'actor'> & { readonly type: string }) =>
      run({
        decider,
        stream: itemStream(item),
        command: { item, at: clock.now(), actor: 'ada', ...command },
      } as unknown as Plan),
    register: (store: string, policy: Policy) =>
      run({
        decider: storeDecider,
        stream: storeStream(store),
        command: { type: 'RegisterStore', store, kind: 'external', policy, at: clock.now(), actor: 'ada' },
      } as unknown as Plan),
    /** Brings the views up to the end of the log. */
    fold: () => catchUp({ eventStore, viewStore, projections: [fixity] }),
    streamOf,
    typesOf: async (item: Item) => (await streamOf(item)).map(({ type }) => type),
    row: ({ store, path }: Item): Row | undefined =>
      viewStore.query('fixity-items', {
        where: [
          { column: 'store', is: '=', value: store },
          { column: 'path', is: '=', value: path },
        ],
      })[0],
  }
}

export type FixityWorld = ReturnType<typeof fixityWorld>

export const sha = (letter: string) => ({ algorithm: 'sha-256', value: letter.repeat(64) })
export const content = (path: string, store = 'main'): Item => ({ store, path })
export const record = (letter = 'a') =>
  ({ type: 'RecordContent', checksums: [sha(letter)], recordedFrom: 'm' }) as const

/** What an observer saw: good bytes, or bad ones. The storage claims what was recorded. */
export const seen = (clock: { now(): string }, letter = 'a') =>
  ({
    type: 'Observe',
    content: { status: 'read', size: 1, checksums: [sha(letter)] },
    storage: { status: 'present', checksums: [sha('a')] },
    index: { status: 'recorded', checksums: [sha('a')] },
    observedAt: clock.now(),
    policy: { intervalDays: 90, lagSeconds: 0, replica: false },
  }) as const
