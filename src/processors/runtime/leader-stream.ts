import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { v7 as uuid } from 'uuid'
import { orThrow, unavailable } from '../../async/unavailable.ts'
import {
  type LeaderCommand,
  type LeaderLeaseState,
  type LeaderTerm,
  leaderLeases,
  leaderStream,
} from '../../domain/kernel/leader-lease.ts'
import type { Execute } from './execute.ts'
import type { StreamState, StreamStates } from './stream-states.ts'

/** The stream of a leader lease, for reading and writing. */
export interface LeaderStream {
  readonly name: string
  /** The current state. Throws `UnavailableError`. */
  read(): Promise<StreamState<LeaderLeaseState>>
  /** Undefined if the command was rejected, or another writer has appended since `expected`. Throws `UnavailableError`. */
  execute(command: LeaderCommand, expected?: bigint): Promise<LeaderTerm | undefined>
}

export const createLeaderStream = (
  lease: string,
  {
    execute,
    states,
    log,
  }: { readonly execute: Execute; readonly states: StreamStates; readonly log: Logger },
): LeaderStream => {
  const name = leaderStream(lease)
  return {
    name,
    read: () => orThrow(() => states.load(leaderLeases, name)),
    execute: async (command, expected) => {
      const cause = uuid()
      const outcome = await execute(leaderLeases, {
        stream: name,
        command,
        causationId: cause,
        correlationId: cause,
        ...(expected !== undefined && { expected }),
      })
      // A cached state would collect causes for as long as the process runs.
      states.forget(name)
      if (isLeft(outcome)) {
        if (expected !== undefined && outcome.left.kind === 'Contended') return undefined
        throw unavailable(outcome.left)
      }
      if (outcome.right.kind === 'rejected') log.debug({ duty: lease }, outcome.right.rejection.message)
      return outcome.right.kind === 'done' ? outcome.right.result : undefined
    },
  }
}
