import type { Command } from '../kernel/decider.ts'
import type { EmbargoWord } from '../kernel/embargo.ts'
import type { ArchiveFile, ClearedBy, FailureKind } from './events.ts'
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
  /** Rules that are on; undefined: fixity alone. */
  readonly rules?: readonly RuleName[] | undefined
}

/** Archive files of the version, before the messages about them are sent. */
export interface NoteArchives extends Command {
  readonly type: 'NoteArchives'
  readonly version: number
  readonly store: string
  readonly files: readonly ArchiveFile[]
}

/** All messages about the version are sent. */
export interface NoteHandedOver extends Command {
  readonly type: 'NoteHandedOver'
  readonly version: number
  readonly rule: RuleName
  readonly store: string
  readonly parts: number
  readonly shared: number
  readonly embargoUntil?: EmbargoWord | undefined
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

/** The outcome of indexing an archive file: `lines` if it is in the index, `finding` if it could not be. */
export interface NoteIndexing extends Command {
  readonly type: 'NoteIndexing'
  readonly store: string
  readonly name: string
  readonly outcome: { readonly lines: number } | { readonly finding: string }
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
  | NoteArchives
  | NoteIndexing
  | NoteHandedOver
  | NoteHandOverFailed
  | NoteFindings
  | NoteWithdrawal
  | NoteWithdrawn
