import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import { eventStoreContract } from '../../../contracts/event-store.ts'
import { serve } from './gateway.ts'

eventStoreContract('EventStoreDB client through the gateway', async () => {
  const served = await serve()
  const opened = [openEventStoreDb(served.address)]
  return {
    store: opened[0]!,
    other: async () => {
      const store = openEventStoreDb(served.address)
      opened.push(store)
      return store
    },
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()))
      await served.dispose()
    },
    knowsIdsAtExactRevision: false,
  }
})
