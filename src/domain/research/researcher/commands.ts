import type { Command } from '../../kernel/decider.ts'
import type { Engine } from '../terms.ts'

export interface Register extends Command {
  readonly type: 'Register'
  readonly version?: string | undefined
  readonly engine?: Engine | undefined
  readonly mediaTypes?: readonly string[] | undefined
  readonly presenceSeconds: number
}

/** A researcher that drains still beats. One that was unknown or gone is present again. */
export interface Beat extends Command {
  readonly type: 'Beat'
  readonly presenceSeconds: number
}

interface Leave extends Command {
  readonly type: 'Drain' | 'Leave'
}

/** The ticker found it silent for too long; nothing happens where it was not. */
interface NoteSilent extends Command {
  readonly type: 'NoteSilent'
  /** Nothing was heard behind this end of presence for as long as it may be silent: it is of a clock that ran ahead. */
  readonly lastWord?: string | undefined
}

interface Block extends Command {
  readonly type: 'Block' | 'Unblock'
  readonly reason: string
}

export type ResearcherCommand = Register | Beat | Leave | NoteSilent | Block
