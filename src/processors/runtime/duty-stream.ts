import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { v7 as uuid } from 'uuid'
import {
  type DutyCommand,
  type DutyEvent,
  type DutyState,
  duties,
  dutyStream,
} from '../../domain/kernel/duty.ts'
import { Away } from '../../ports/away.ts'
import type { Execute } from './execute.ts'
import type { StreamState, StreamStates } from './stream-states.ts'

/** The stream that tells who has a duty, read and written. */
export interface DutyStream {
  readonly name: string
  /** As it is now. Throws `Away`. */
  look(): Promise<StreamState<DutyState>>
  /** The event that came of it; undefined where it was refused, or where somebody wrote since `expected`. Throws `Away`. */
  tell(command: DutyCommand, expected?: bigint): Promise<DutyEvent | undefined>
}

export const openDutyStream = (
  duty: string,
  {
    execute,
    states,
    log,
  }: { readonly execute: Execute; readonly states: StreamStates; readonly log: Logger },
): DutyStream => {
  const name = dutyStream(duty)
  return {
    name,
    look: async () => {
      const loaded = await states.load(duties, name)
      if (isLeft(loaded)) throw new Away(JSON.stringify(loaded.left))
      return loaded.right
    },
    tell: async (command, expected) => {
      const cause = uuid()
      const outcome = await execute(duties, {
        stream: name,
        command,
        causationId: cause,
        correlationId: cause,
        ...(expected !== undefined && { expected }),
      })
      // Kept, its causes would grow for as long as the process runs.
      states.forget(name)
      if (isLeft(outcome)) {
        if (expected !== undefined && outcome.left.kind === 'Contended') return undefined
        throw new Away(JSON.stringify(outcome.left))
      }
      if (outcome.right.kind === 'rejected') log.debug({ duty }, outcome.right.rejection.message)
      return outcome.right.kind === 'done' ? outcome.right.events.at(-1) : undefined
    },
  }
}
