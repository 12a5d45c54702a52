import type { Command } from '../../kernel/decider.ts'
import type { Policy } from './policy.ts'

interface PolicyBase extends Command {
  readonly reason: string
}

/** A setting that is absent stays; null takes an optional one away. */
export interface SetPolicy extends PolicyBase {
  readonly type: 'SetPolicy'
  readonly policy: { readonly [Name in keyof Policy]?: Policy[Name] | null | undefined }
}

interface PauseAssigning extends PolicyBase {
  readonly type: 'Pause' | 'Resume'
}

export interface PlaceCurator extends PolicyBase {
  readonly type: 'PinCurator' | 'UnpinCurator' | 'ExcludeCurator' | 'IncludeCurator'
  readonly curator: string
  /** The same curator's name in events from before: both count. */
  readonly formerly?: string | undefined
}

interface ReleaseWaitingClips extends PolicyBase {
  readonly type: 'ReleaseWaitingClips'
}

export interface RequestReopen extends PolicyBase {
  readonly type: 'RequestReopen'
  readonly engines?: readonly string[] | undefined
  readonly clips?: readonly string[] | undefined
}

export type PolicyCommand = SetPolicy | PauseAssigning | PlaceCurator | ReleaseWaitingClips | RequestReopen
