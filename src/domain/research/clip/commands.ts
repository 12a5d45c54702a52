import type { Command } from '../../kernel/decider.ts'
import type { CurationCommand } from '../curation-commands.ts'
import type { Policy } from '../desk/policy.ts'
import type { Stage } from '../result-messages.ts'

export interface FailClip extends Command {
  readonly type: 'Fail'
  readonly stage: Stage
  readonly error: string
  /** In which episode it was to be looked for. */
  readonly episode: string
  readonly researcher: string
  readonly policy: Pick<Policy, 'attempts' | 'backoffSeconds'>
}

export interface RetryClip extends Command {
  readonly type: 'Retry'
  readonly reason: string
}

/** A result tells that its media was had and read: failures before it are in a row with none after it. */
export interface RecoverClip extends Command {
  readonly type: 'Recover'
}

export type ClipCommand = CurationCommand | FailClip | RetryClip | RecoverClip
