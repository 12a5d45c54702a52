import type { HttpClient } from '@fonds/download'
import type { AllowedHosts } from '@fonds/download/http'
import { SECOND } from '../../../domain/kernel/time.ts'

/** How callbacks are made. */
export interface Callbacks {
  readonly client: Pick<HttpClient, 'ask'>
  readonly allowed: AllowedHosts
  readonly tries: number
  /** Before the second try; twice as long before each further one. */
  readonly pauseMillis: number
  /** Of one try. */
  readonly limitMillis: number
}

/** One try, and three more. */
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
