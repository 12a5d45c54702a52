import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../../../../infra/gateway/gateway.ts'
import { type Database, openDatabase } from '../../../../infra/sqlite/database.ts'
import { serverTls, tlsFiles } from '../../../fixtures/tls/files.ts'

/** A server that can be stopped and started again, on the same port and over the same file. */
export interface Served {
  readonly address: string
  readonly port: number
  readonly file: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and takes its folder away. */
  dispose(): Promise<void>
}

/** `secret`: over TLS, with this password. */
export const serve = async (secret?: string): Promise<Served> => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-gateway-'))
  const file = join(folder, 'fonds.db')
  let running:
    | { readonly db: Database; readonly gateway: Awaited<ReturnType<typeof startGateway>> }
    | undefined
  let port = 0
  const start = async () => {
    const db = openDatabase(file, { durability: 'normal' })
    const gateway = await startGateway(db, {
      host: '127.0.0.1',
      port,
      reject: () => undefined,
      ...(secret !== undefined && { tls: serverTls, token: secret }),
    })
    port = gateway.port
    running = { db, gateway }
  }
  const stop = async () => {
    await running?.gateway.stop()
    await running?.db.close()
    running = undefined
  }
  await start()
  return {
    address:
      secret === undefined
        ? `esdb://127.0.0.1:${port}?tls=false`
        : `esdb://fonds:${encodeURIComponent(secret)}@localhost:${port}?tls=true&tlsCAFile=${tlsFiles.authority}`,
    port,
    file,
    start,
    stop,
    dispose: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
