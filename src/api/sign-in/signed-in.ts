import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as t from 'io-ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { Permission } from '../../domain/kernel/permission.ts'
import { addMillis, HOUR } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Person } from '../../ports/people.ts'
import type { SpentIds } from '../../ports/spent-ids.ts'
import type { Caller, SignedInSession } from '../http/caller.ts'
import { cookie } from './cookies.ts'
import { createSeal } from './seal.ts'

/** Sessions of persons who signed in at the provider. */
export interface SignedIn {
  readonly callerOf: (headers: Pick<IncomingHttpHeaders, 'cookie'>) => Caller | undefined
  /** Begins a session, always a new one. Returns its cookie. */
  readonly begin: (person: Person, permission: Permission) => string
  /** Ends a session everywhere in this home. Returns the cookie that takes it from the browser. */
  readonly end: (session: SignedInSession | undefined) => string
  /** Aborts when the session ends. `done`: nobody waits for that any more. */
  readonly endOf: (session: SignedInSession, done: AbortSignal) => AbortSignal
}

const Kept = t.intersection([
  t.type({ id: Text, reference: Text, permission: Permission, until: Time }),
  t.partial({ name: Text, mail: Text }),
])

interface Options {
  /** All nodes have the same. */
  readonly secret: string
  /** The groups that decide who may do what: a session of other rules is none. */
  readonly rules: string
  readonly isSecure: () => boolean
  readonly hours: number
  readonly spent: SpentIds
  readonly clock: Clock
}

/** The cookie holds the session itself, sealed: it is good on every node, for as long as it lasts. */
export const signedIn = ({ secret, rules, isSecure, hours, spent, clock }: Options): SignedIn => {
  const kept = cookie('fonds-signed-in', 'Strict', isSecure)
  const seal = createSeal(Kept, secret, `session ${rules}`)
  const endings = new Map<string, Set<AbortController>>()
  const isOver = ({ id, until }: SignedInSession) => until <= clock.now() || spent.isSpent(id)

  return {
    callerOf: (headers) => {
      for (const value of kept.values(headers.cookie)) {
        const session = seal.open(value)
        if (!session || isOver(session)) continue
        const { id, until, permission, ...person } = session
        return { permission, person, isSession: true, session: { id, until } }
      }
      return undefined
    },
    begin: ({ reference, name, mail }, permission) => {
      const id = randomBytes(18).toString('base64url')
      const until = addMillis(clock.now(), hours * HOUR)
      const person = { reference, ...(name !== undefined && { name }), ...(mail !== undefined && { mail }) }
      return kept.set(seal.close({ id, permission, until, ...person }), hours * 3600)
    },
    end: (session) => {
      if (session) {
        spent.spend(session.id, session.until)
        for (const ending of endings.get(session.id) ?? []) ending.abort()
      }
      return kept.clear()
    },
    endOf: ({ id, until }, done) => {
      const ending = new AbortController()
      const all = endings.get(id) ?? new Set()
      endings.set(id, all.add(ending))
      const left = Date.parse(until) - Date.parse(clock.now())
      const over = AbortSignal.any([done, ending.signal])
      void clock.sleep(Math.max(left, 0), over).then(() => {
        all.delete(ending)
        if (all.size === 0) endings.delete(id)
        if (!done.aborted) ending.abort()
      })
      return ending.signal
    },
  }
}
