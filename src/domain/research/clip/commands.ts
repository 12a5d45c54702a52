import type { Command } from '../../kernel/decider.ts'
import type { CurationCommand } from '../curation-commands.ts'
import type { Policy } from '../policy/policy.ts'
import type { Stage } from '../result-messages.ts'

export interface FailClip extends Command {
  readonly type: 'Fail'
  readonly stage: Stage
  readonly error: string
  /** The episode in which it was searched for. */
  readonly episode: string
  readonly researcher: string
  readonly policy: Pick<Policy, 'attempts' | 'backoffSeconds'>
}

export interface RetryClip extends Command {
  readonly type: 'Retry'
  readonly reason: string
}

/** A result shows that its media can be read: later failures are counted from 1 again. */
export interface RecoverClip extends Command {
  readonly type: 'Recover'
}

export type ClipCommand = CurationCommand | FailClip | RetryClip | RecoverClip
