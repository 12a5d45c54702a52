import type { Command } from '../kernel/decider.ts'
import type { Details } from './curation.ts'

/** A curator saw it. */
export interface Curate extends Command {
  readonly type: 'Curate'
  readonly details: Omit<Details, 'priority'> & { readonly priority?: number | undefined }
  readonly curatedAt: string
  readonly firstCuratedAt?: string | undefined
}

export interface Withdraw extends Command {
  readonly type: 'Withdraw'
  readonly curator: string
  readonly reason?: string | undefined
}

export interface Prioritise extends Command {
  readonly type: 'Prioritise'
  /** Null leaves it to the curator again. */
  readonly priority: number | null
  readonly reason: string
}

export interface Place extends Command {
  readonly type: 'Pin' | 'Unpin' | 'Exclude' | 'Include'
  readonly reason: string
}

export type CurationCommand = Curate | Withdraw | Prioritise | Place
