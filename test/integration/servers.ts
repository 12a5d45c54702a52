import { inject } from 'vitest'
import type { Found, ServerName } from './discovery.ts'

export type { ServerName }

declare module 'vitest' {
  interface ProvidedContext {
    servers: Readonly<Record<ServerName, Found>>
    /** A folder for what tests of pages make once a run. */
    pages: string
  }
}

/**
 * The server that this run of the integration suite has (`setup.ts`): `host:port,…` for Kafka, `esdb://…` for EventStoreDB,
 * `http://<key>:<secret>@host:port` for S3, the path of the program for nginx.
 *
 * ```ts
 * const kafka = server('kafka')
 * describe.skipIf('absent' in kafka)('on Kafka', …)
 * ```
 */
export const server = (name: ServerName): Found =>
  inject('servers')?.[name] ?? { absent: 'servers are looked for by `npm run test:integration` alone' }
