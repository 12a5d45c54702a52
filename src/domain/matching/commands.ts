import type { Command } from '../kernel/decider.ts'
import type { StatedLink } from './links.ts'
import type { WorkState } from './work.ts'

/** Every command is aimed at one work. */
interface WorkCommandBase extends Command {
  readonly work: string
}

/** A source says what the record is now. */
export interface Observe extends WorkCommandBase {
  readonly type: 'Observe'
  readonly source: string
  readonly sourceVersion: number
  /** Kept for people; orders nothing (M5). */
  readonly sourceModifiedAt: string
  readonly state: WorkState
  readonly title?: string | undefined
  readonly links: readonly StatedLink[]
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** Another source speaks for the work from now on. */
export interface HandOver extends WorkCommandBase {
  readonly type: 'HandOver'
  readonly to: string
  readonly reason: string
}

/**
 * A person rejects a link that its source states: it is left out until the source describes the work at a higher
 * version.
 */
export interface DropLink extends WorkCommandBase {
  readonly type: 'DropLink'
  readonly to: string
  readonly reason: string
}

/** A link that a person dropped counts again, as its source stated it. */
export interface RestoreLink extends WorkCommandBase {
  readonly type: 'RestoreLink'
  readonly to: string
  readonly reason: string
}

/** The work's component is to be sent again, from the facts (M18). */
export interface Resend extends WorkCommandBase {
  readonly type: 'Resend'
  readonly reason: string
}

export type WorkCommand = Observe | DropLink | RestoreLink | HandOver | Resend
