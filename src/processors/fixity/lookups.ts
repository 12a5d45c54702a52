import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { livePosition, whenCaughtUp } from '../../async/caught-up.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { LaggingIndex } from '../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import type { Word } from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, type Policy, storeStream } from '../../domain/fixity/store/events.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { FixityLookups } from './processor.ts'

/** How long an observation waits for our own index; after that it is decided with the lag. */
const patienceMillis = 2000

export const fixityLookups = (states: StreamStates, viewStore: ViewStore, clock: Clock): FixityLookups => {
  const reached = () => livePosition(viewStore, 'fixity')

  // A deleted stream is no failure here: the command that is sent to it fails, and its message becomes a dead letter.
  const policyOf = (store: string): Promise<Policy> =>
    pipe(
      () => states.load(storeDecider, storeStream(store)),
      TE.map(({ state }) => state?.policy ?? defaultPolicy),
      ifDeleted(defaultPolicy),
      orThrow,
    )

  const lastPosition = (item: Item): Promise<bigint> =>
    pipe(
      () => states.load(decider, itemStream(item)),
      TE.map(({ position }) => position),
      ifDeleted(-1n),
      orThrow,
    )

  const entry = ({ store, path }: Item): Word => {
    const indexed = row(viewStore, items, is('store', store), is('path', path))?.indexed
    return indexed
      ? { status: 'recorded', ...indexed, checksums: [...indexed.checksums] }
      : { status: 'absent' }
  }

  return {
    policies: async (stores) =>
      new Map(await Promise.all([...stores].map(async (store) => [store, await policyOf(store)] as const))),
    ownIndex: async (items) => {
      if (items.length === 0) return []
      const needed = await Promise.all(items.map(lastPosition))
      const indexed = await whenCaughtUp(highest(needed), { reached, clock, patienceMillis })
      return items.map((item, i) =>
        // Without a stream there is nothing to index.
        needed[i] === -1n
          ? { status: 'absent' }
          : needed[i]! <= indexed
            ? entry(item)
            : ({
                status: 'lagging',
                behind: String(indexed),
                needed: String(needed[i]),
              } satisfies LaggingIndex),
      )
    },
  }
}

const highest = (positions: readonly bigint[]): bigint =>
  positions.reduce((top, position) => (position > top ? position : top), -1n)
