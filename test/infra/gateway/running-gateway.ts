import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { credentials } from '@grpc/grpc-js'
import { openSqliteEventStore } from '../../../infra/event-store/sqlite/event-store.ts'
import { startGateway } from '../../../infra/gateway/gateway.ts'
import { openDatabase } from '../../../infra/sqlite/database.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'

/** A gateway on a log of its own, EventStoreDB's client of it, and the log as Fonds itself sees it. */
export const runGateway = async (options: Partial<Parameters<typeof startGateway>[1]> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-gateway-'))
  const file = join(folder, 'log.db')
  const db = openDatabase(file, { durability: 'normal' })
  const store: EventStore = openSqliteEventStore(db)
  const gateway = await startGateway(db, { host: '127.0.0.1', port: 0, reject: () => undefined, ...options })
  const address = `127.0.0.1:${gateway.port}`
  const client = EventStoreDBClient.connectionString(`esdb://${address}?tls=false`)
  const raw = new streamServices.StreamsClient(address, credentials.createInsecure())
  return {
    folder,
    file,
    db,
    store,
    gateway,
    address,
    client,
    /** Says what the client never would. */
    raw,
    dispose: async () => {
      await client.dispose()
      raw.close()
      await gateway.stop(200)
      await db.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export type Running = Awaited<ReturnType<typeof runGateway>>

/** The client batches appends, unless they carry credentials: then each is a call of its own. */
export const paths = [
  { path: 'batch append', options: {} },
  { path: 'append', options: { credentials: { username: 'anyone', password: 'any' } } },
] as const

export const some = (count: number, type = 'Tested') =>
  Array.from({ length: count }, (_, n) => jsonEvent({ type, data: { n } }))

export const collect = async <A>(items: AsyncIterable<A>): Promise<A[]> => {
  const all: A[] = []
  for await (const item of items) all.push(item)
  return all
}

/** What a promise is rejected with. */
export const refusal = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await promise
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('it was not refused')
}
