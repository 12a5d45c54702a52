import { onTestFinished } from 'vitest'
import type { FixityCommand } from '#src/domain/fixity/commands.ts'
import { decider } from '#src/domain/fixity/decide.ts'
import { type Item, itemStream } from '#src/domain/fixity/item.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { type Policy, storeStream } from '#src/domain/fixity/store/events.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import type { Route } from '#src/processors/runtime/processor.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { openTestViews } from '../../fakes/views.ts'
import { deciding } from '../deciding.ts'

/** The smallest world in which fixity's processors live: a log, views that are folded when a test says so, a clock. */
export const fixityWorld = () => {
  const world = deciding()
  const { clock, eventStore, run, eventsOf } = world
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const streamOf = (item: Item) => eventsOf(itemStream(item))

  return {
    ...world,
    viewStore,
    /** A command on an item, decided now. */
    on: (item: Item, command: Omit<FixityCommand, 'item' | 'at' | 'actor'> & { readonly type: string }) =>
      run({
        decider,
        stream: itemStream(item),
        command: { item, at: clock.now(), actor: 'ada', ...command },
      } as unknown as Route),
    register: (store: string, policy: Policy) =>
      run({
        decider: storeDecider,
        stream: storeStream(store),
        command: { type: 'RegisterStore', store, kind: 'external', policy, at: clock.now(), actor: 'ada' },
      } as unknown as Route),
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
