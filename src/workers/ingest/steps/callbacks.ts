import type { HttpClient } from '@fonds/download'
import type { AllowedHosts } from '@fonds/download/http'
import { SECOND } from '../../../domain/kernel/time.ts'

/** Settings of callbacks. */
export interface Callbacks {
  readonly client: Pick<HttpClient, 'ask'>
  readonly allowed: AllowedHosts
  readonly tries: number
  /** Delay before the second attempt; it doubles with each further one. */
  readonly pauseMillis: number
  /** Timeout of one attempt. */
  readonly limitMillis: number
}

/** One attempt, and three retries. */
const tries = 4

export const callbacksOf = (
  client: HttpClient,
  hosts: readonly string[] | undefined,
  limitMillis: number,
  isForeign = false,
): Callbacks => ({
  client,
  tries,
  pauseMillis: SECOND,
  limitMillis,
  allowed: { hosts, isForeign, content: 'callbacks', setting: 'FONDS_INGEST_HOSTS' },
})
