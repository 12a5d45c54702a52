import type { Policy } from '../../domain/indexing/policy.ts'
import { SECOND } from '../../domain/kernel/time.ts'

export interface PolicySettings {
  readonly indexingGraceSeconds: number
  readonly indexingRetrySeconds: number
  readonly indexingAttempts: number
}

/** Policy according to the settings. */
export const policyIn = (config: PolicySettings): Policy => ({
  graceMillis: config.indexingGraceSeconds * SECOND,
  retryMillis: config.indexingRetrySeconds * SECOND,
  maxAttempts: config.indexingAttempts,
})
