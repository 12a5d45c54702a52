import * as either from 'fp-ts/lib/Either.js'
import { describe } from 'vitest'
import { openEventStoreDb } from '../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../src/ports/event-store.ts'
import { eventStoreContract } from '../contracts/event-store.ts'
import { server } from './servers.ts'

const found = server('eventstoredb')

/** A log of its own for each test: of a server that others have used, only what comes from now on. */
const fromNowOn = async (store: EventStore): Promise<EventStore> => {
  const head = await store.head()()
  if (either.isLeft(head)) throw new Error(head.left.reason)
  const behind = (after: bigint) => (after < 0n ? head.right : after)
  return {
    ...store,
    readAll: (after, filter, limit) => store.readAll(behind(after), filter, limit),
    subscribe: (after, filter, signal) => store.subscribe(behind(after), filter, signal),
  }
}

describe.skipIf('absent' in found)('on a real server', () => {
  eventStoreContract('EventStoreDB', async () => {
    const address = 'address' in found ? found.address : ''
    const opened: EventStore[] = []
    const open = async () => {
      const store = openEventStoreDb(address)
      opened.push(store)
      return fromNowOn(store)
    }
    return {
      store: await open(),
      other: open,
      dispose: async () => {
        await Promise.all(opened.map((store) => store.close()))
      },
      knowsIdsAtExactRevision: false,
    }
  })
})
