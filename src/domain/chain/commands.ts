import type { Command } from '../kernel/decider.ts'
import type { ClearedBy, FailureKind } from './events.ts'
import type { RuleName } from './rules.ts'

/** Ingest stored a version, or a person adopted one. */
export interface NoteStored extends Command {
  readonly type: 'NoteStored'
  readonly version: number
  readonly files: number
  readonly bytes: number
  readonly inventoryDigest: string
  readonly localIds: readonly string[]
  readonly batch?: string | undefined
  readonly job?: number | undefined
  readonly profile?: string | undefined
}

/** All messages about the version are sent. */
export interface NoteHandedOver extends Command {
  readonly type: 'NoteHandedOver'
  readonly version: number
  readonly rule: RuleName
  readonly store: string
  readonly parts: number
  readonly shared: number
}

export interface NoteHandOverFailed extends Command {
  readonly type: 'NoteHandOverFailed'
  readonly version: number
  readonly rule: RuleName
  readonly reason: string
}

interface PartOf {
  readonly store: string
  readonly path: string
}

/** One event of fixity, as the views show it: files that are no longer well, or well again, and versions that are verified. */
export interface NoteFindings extends Command {
  readonly type: 'NoteFindings'
  readonly failed: readonly (PartOf & { readonly kind: FailureKind; readonly finding: string })[]
  readonly cleared: readonly (PartOf & { readonly how: ClearedBy })[]
  /** Versions of which each file has been verified, with their number. */
  readonly verified: readonly { readonly version: number; readonly parts: number }[]
}

export interface NoteWithdrawal extends Command {
  readonly type: 'NoteWithdrawal'
  readonly keep: number
  readonly reason: string
}

/** All messages about the withdrawal are sent. */
export interface NoteWithdrawn extends Command {
  readonly type: 'NoteWithdrawn'
  readonly keep: number
  readonly rule: RuleName
  readonly parts: number
  readonly shared: number
}

export type DossierCommand =
  | NoteStored
  | NoteHandedOver
  | NoteHandOverFailed
  | NoteFindings
  | NoteWithdrawal
  | NoteWithdrawn
