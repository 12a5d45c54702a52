import { right } from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orThrow } from '../async/unavailable.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import type { System } from './system.ts'

/** Fields of what a person wants that name people, or say freely why: those that are in the log by reference. */
const personalOfBy = ['actor', 'reason'] as const

export type Sealing = Pick<System, 'personal'> & { readonly config: Pick<System['config'], 'personalValues'> }

/**
 * Where people's wishes enter: returns who wants something and why by reference, if the archive keeps them so. Everything behind it
 * has references alone: deciders, events, views, the relay.
 */
export const sealedBy = <By extends { readonly actor: string; readonly reason: string }>(
  { config, personal }: Sealing,
  by: By,
): TE.TaskEither<Unavailable, By> =>
  config.personalValues === 'off'
    ? async () => right(by)
    : TE.map((references: readonly string[]) => ({
        ...by,
        ...Object.fromEntries(personalOfBy.map((field, i) => [field, references[i]!])),
      }))(personal.sealTyped(personalOfBy.map((field) => by[field])))

/** The same for an actor alone, such as the source of what somebody reports on a topic. Throws `UnavailableError`. */
export const sealedActor = async (sealing: Sealing, actor: string): Promise<string> =>
  sealing.config.personalValues === 'off'
    ? actor
    : (await orThrow(sealing.personal.sealTyped([actor]), 'personal values'))[0]!
