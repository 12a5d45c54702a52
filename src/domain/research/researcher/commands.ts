import type { Command } from '../../kernel/decider.ts'
import type { Engine } from '../terms.ts'

export interface Register extends Command {
  readonly type: 'Register'
  readonly version?: string | undefined
  readonly engine?: Engine | undefined
  readonly mediaTypes?: readonly string[] | undefined
  readonly presenceSeconds: number
}

/** Says nothing of draining: one that drains beats until it is gone. One that is unknown or gone is there again. */
export interface Beat extends Command {
  readonly type: 'Beat'
  readonly presenceSeconds: number
}

export interface Leave extends Command {
  readonly type: 'Drain' | 'Leave'
}

/** The ticker saw that it was silent for too long; nothing happens where it was not. */
export interface NoteSilent extends Command {
  readonly type: 'NoteSilent'
}

export interface Block extends Command {
  readonly type: 'Block' | 'Unblock'
  readonly reason: string
}

export type ResearcherCommand = Register | Beat | Leave | NoteSilent | Block
