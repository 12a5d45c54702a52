import type { Running } from './roles.ts'
import type { System } from './system.ts'

/** HTTP for the command line, which does not import it: main.ts joins them. */
export interface Http {
  /** A server that does not listen yet. `ticket`: enters a browser once, in place of the token. */
  readonly createServer: (
    system: System,
    options: { readonly running: Running; readonly isWitness?: boolean; readonly ticket?: string },
  ) => Promise<HttpServer>
  /** The OpenAPI document. */
  readonly openApiOf: (system: System) => Promise<unknown>
}

interface HttpServer {
  /** Resolves with the address that people of this machine can open. Rejects where the port cannot be had. */
  listen(): Promise<string>
  /** Takes no new requests, ends streams, and lets requests under way finish for `graceMillis`. */
  close(graceMillis: number): Promise<void>
}
