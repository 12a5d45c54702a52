import type { Unavailable } from './unavailable.ts'

export type BrokerFailure =
  | { readonly kind: 'UnknownTopic'; readonly topic: string }
  | { readonly kind: 'TooLarge'; readonly bytes: number; readonly limit: number }
  /** The broker denies access: the reason names the topic or the call, and what to grant. */
  | { readonly kind: 'Forbidden'; readonly reason: string }
  | Unavailable
