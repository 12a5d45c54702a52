import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Claims } from '../domain/kernel/identity.ts'
import type { Unavailable } from './unavailable.ts'

/** A provider where people sign in, by OpenID Connect: authorization code with PKCE, state and nonce. */
export interface IdentityProvider {
  /** Its issuer, as the setting has it. */
  readonly issuer: string
  /** `back`: the address that the provider sends the browser to. */
  begin(back: string): TaskEither<ProviderFailure, BegunSignIn>
  /**
   * Takes the address that a browser came back to. The answer is compared with the secrets; issuer, audience, time,
   * nonce and signature of the ID token are checked.
   */
  finish(answer: URL, secrets: SignInSecrets): TaskEither<ProviderFailure, IssuedClaims>
  /** Address that ends the session at the provider; undefined if it has none. */
  leave(back: string): TaskEither<ProviderFailure, string | undefined>
}

export interface BegunSignIn {
  /** Where the browser goes. */
  readonly address: string
  readonly secrets: SignInSecrets
}

/** Kept by the browser that began, until it comes back. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  /** PKCE's. */
  readonly verifier: string
}

export interface IssuedClaims {
  readonly issuer: string
  readonly subject: string
  readonly claims: Claims
}

export type ProviderFailure =
  | Unavailable
  /** The provider said no, as where somebody pressed cancel; `code` is OAuth's. */
  | { readonly kind: 'Refused'; readonly code: string }
  /** Its answer failed a check: a replay, a forgery, or a provider that is set up otherwise. */
  | { readonly kind: 'Invalid'; readonly reason: string }
