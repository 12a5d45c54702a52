import type { Running } from './roles.ts'
import type { System } from './system.ts'

/** The HTTP side, as the command line sees it: main.ts brings them together. */
export interface Http {
  /** A server that does not listen yet. `ticket` enters a browser once in the token's place. */
  readonly createServer: (
    system: System,
    options: { readonly running: Running; readonly ticket?: string },
  ) => HttpServer
  /** The OpenAPI document. */
  readonly openApiOf: (system: System) => unknown
}

interface HttpServer {
  /** Resolves with the address that people of this machine can open. Rejects where the port cannot be had. */
  listen(): Promise<string>
  /** Takes nothing new, ends streams, and lets requests under way finish for so long. */
  close(graceMillis: number): Promise<void>
}
