import { onTestFinished } from 'vitest'
import { openEventStoreDb } from '../../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../../src/ports/event-store.ts'
import type { Version } from '../../../../fixtures/eventstoredb-record.ts'
import { type Served, serve } from '../gateway.ts'
import { asRecorded, type RecordedServer } from './server.ts'

export interface UsedRecorded {
  readonly served: Served
  readonly server: RecordedServer
  /** By the server. */
  readonly store: EventStore
  /** By the gateway behind it, in its positions. */
  readonly direct: EventStore
}

/** A server that answers as a recorded version, for the length of a test. */
export const useRecorded = async (
  version: Version,
  options: Parameters<typeof openEventStoreDb>[1] = {},
): Promise<UsedRecorded> => {
  const served = await serve()
  const server = await asRecorded(served.port, version)
  const store = openEventStoreDb(server.address, options)
  const direct = openEventStoreDb(served.address)
  onTestFinished(async () => {
    await Promise.all([store.close(), direct.close()])
    server.close()
    await served.dispose()
  })
  return { served, server, store, direct }
}
