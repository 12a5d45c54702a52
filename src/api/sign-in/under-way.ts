import * as t from 'io-ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SpentIds } from '../../ports/spent-ids.ts'
import { cookie } from './cookies.ts'
import { createSeal } from './seal.ts'

/** How long somebody may take to sign in at the provider. */
const minutes = 10

const Begun = t.type({ state: Text, nonce: Text, verifier: Text, to: Text, until: Time })
export type Begun = t.TypeOf<typeof Begun>

/** Sign-ins under way, each in the cookie of the browser that began it. */
export interface UnderWay {
  readonly begin: (begun: Omit<Begun, 'until'>) => string
  /** Returns what this browser began with the state, once; undefined for another state, another browser, or too late. */
  readonly take: (cookies: string | undefined, state: string | null) => Begun | undefined
  readonly clear: () => string
}

interface Options {
  readonly secret: string
  readonly isSecure: () => boolean
  readonly spent: SpentIds
  readonly clock: Clock
}

export const underWay = ({ secret, isSecure, spent, clock }: Options): UnderWay => {
  // The provider leads back here, so that a `Strict` cookie would not come along.
  const kept = cookie('fonds-sign-in', 'Lax', isSecure)
  const seal = createSeal(Begun, secret, 'sign-in')
  return {
    begin: (begun) =>
      kept.set(seal.close({ ...begun, until: addMillis(clock.now(), minutes * MINUTE) }), minutes * 60),
    take: (cookies, state) => {
      const begun = kept
        .values(cookies)
        .map(seal.open)
        .find((one) => one?.state === state)
      if (!begun || begun.until <= clock.now()) return undefined
      return spent.spend(`sign-in ${begun.state}`, begun.until) ? begun : undefined
    },
    clear: kept.clear,
  }
}
