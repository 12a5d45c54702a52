import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import { eventStoreContract } from '../../../contracts/event-store.ts'
import { versions } from '../../../fixtures/eventstoredb-record.ts'
import { serve } from './gateway.ts'
import { asRecorded } from './recorded/server.ts'

for (const version of versions)
  eventStoreContract(`EventStoreDB client, a server that answers as ${version}`, async () => {
    const served = await serve()
    const server = await asRecorded(served.port, version)
    const opened = [openEventStoreDb(server.address)]
    return {
      store: opened[0]!,
      other: async () => {
        const store = openEventStoreDb(server.address)
        opened.push(store)
        return store
      },
      dispose: async () => {
        await Promise.all(opened.map((store) => store.close()))
        server.close()
        await served.dispose()
      },
      knowsIdsAtExactRevision: false,
    }
  })
