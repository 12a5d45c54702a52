import { type Either, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { Permission } from '../../domain/kernel/permission.ts'
import type { Person } from '../../ports/people.ts'
import { type DetailedProblem, refuse } from './refuse.ts'

/** The maker of a request. */
export interface Caller {
  /** Absent: nobody is known, and the route is open. */
  readonly permission?: Permission
  /** The browser adds its credentials by itself, whatever page makes the request; false: a token. */
  readonly isSession: boolean
  /** The person who signed in. Absent: somebody with a token, or of this machine. */
  readonly person?: Person
  /** The session that a sign-in began. */
  readonly session?: SignedInSession
}

export interface SignedInSession {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly until: string
}

/** The field of a body that names the actor. */
export const ActorField = t.partial({ actor: Text })

export const nobody: Caller = { isSession: false }

/**
 * Returns the actor of what a request wants. Whoever signed in is the actor, and can name no other; others name theirs.
 */
export const actorOf = ({ person }: Caller, given: string | undefined): Either<DetailedProblem, string> => {
  if (!person)
    return given === undefined
      ? refuse(400, 'wrong-body', 'actor: is missing; say who wants it', { path: 'actor' })
      : right(given)
  return given === undefined || given === person.reference
    ? right(person.reference)
    : refuse(
        403,
        'other-actor',
        `actor: is ${given}, and whoever signed in acts as ${person.reference}; leave it out`,
        { path: 'actor' },
      )
}

/** A problem of every route that `actorOf` is asked by. */
export const otherActor = {
  status: 403,
  code: 'other-actor',
  description: 'Whoever signed in is the actor, and another was named.',
} as const
