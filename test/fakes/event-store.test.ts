import { eventStoreContract } from '../contracts/event-store.ts'
import { fakeEventStore } from './event-store.ts'

const open = (gap: bigint) => async () => {
  const store = fakeEventStore({ gap })
  return { store, other: async () => store, dispose: () => store.close(), knowsIdsAtExactRevision: false }
}

eventStoreContract('fake', open(1n))
eventStoreContract('fake with gaps between positions', open(7n))
