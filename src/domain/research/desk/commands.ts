import type { Command } from '../../kernel/decider.ts'
import type { Policy } from './policy.ts'

interface DeskBase extends Command {
  readonly reason: string
}

/** What is not said stays as it is; null takes an optional setting away. */
export interface SetPolicy extends DeskBase {
  readonly type: 'SetPolicy'
  readonly policy: { readonly [Name in keyof Policy]?: Policy[Name] | null | undefined }
}

export interface PauseAssigning extends DeskBase {
  readonly type: 'Pause' | 'Resume'
}

export interface PlaceCurator extends DeskBase {
  readonly type: 'PinCurator' | 'UnpinCurator' | 'ExcludeCurator' | 'IncludeCurator'
  readonly curator: string
}

export interface ReleaseWaitingClips extends DeskBase {
  readonly type: 'ReleaseWaitingClips'
}

export interface RequestReopen extends DeskBase {
  readonly type: 'RequestReopen'
  readonly engines?: readonly string[] | undefined
  readonly clips?: readonly string[] | undefined
}

export type DeskCommand = SetPolicy | PauseAssigning | PlaceCurator | ReleaseWaitingClips | RequestReopen
