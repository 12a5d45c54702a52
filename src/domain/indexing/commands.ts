import type { Command } from '../kernel/decider.ts'
import type { Silence } from '../kernel/lease.ts'
import type { ArchiveFile } from './file.ts'
import type { KnownKind } from './kind.ts'
import type { JobOutcome } from './outcome.ts'
import type { Place } from './place.ts'
import type { Policy } from './policy.ts'

/** Every command is aimed at one file. Times are ISO 8601 UTC. */
interface FileCommand extends Command {
  readonly file: ArchiveFile
}

/** Somebody's list shows the file. */
export interface Sight extends FileCommand {
  readonly type: 'Sight'
  readonly place: Place
  /** Absent: what the name says. */
  readonly kind?: KnownKind | undefined
  readonly policy: Policy
}

/** The file was indexed before Fonds came. */
export interface Adopt extends FileCommand {
  readonly type: 'Adopt'
  readonly place?: Place | undefined
  readonly kind?: KnownKind | undefined
}

/** Granted where the events hold `FileClaimed`. */
export interface Claim extends FileCommand {
  readonly type: 'Claim'
  readonly holder: string
  readonly deadline: string
  /** How long the holder may be silent. */
  readonly millis: number
  readonly policy: Policy
}

export interface ExtendClaim extends FileCommand {
  readonly type: 'ExtendClaim'
  readonly fence: number
  readonly deadline: string
}

export interface ReleaseClaim extends FileCommand {
  readonly type: 'ReleaseClaim'
  readonly fence: number
  readonly reason: string
  /** Not to be claimed again before. */
  readonly until?: string
}

/** From the ticker. Without effect while the claim is active, unless the holder was silent for as long as it may be. */
export interface ExpireClaim extends FileCommand {
  readonly type: 'ExpireClaim'
  readonly silence?: Silence | undefined
  readonly policy: Policy
}

/** What a worker says came of its job. */
export interface Report extends FileCommand {
  readonly type: 'Report'
  readonly fence: number
  readonly outcome: JobOutcome
  readonly policy: Policy
}

/** The index could not take the lines that were recorded. */
export interface LoseLines extends FileCommand {
  readonly type: 'LoseLines'
  /** Of the lines. */
  readonly digest: string
  readonly reason: string
  readonly policy: Policy
}

export interface Park extends FileCommand {
  readonly type: 'Park'
  readonly reason: string
}

/** A parked file is tried again. */
export interface Rescue extends FileCommand {
  readonly type: 'Rescue'
  readonly reason: string
}

/** Any file is indexed anew, a withdrawn one as well. */
export interface Reset extends FileCommand {
  readonly type: 'Reset'
  readonly kind?: KnownKind | undefined
  readonly reason: string
}

/** Of a damaged file, what is whole is indexed. */
export interface Salvage extends FileCommand {
  readonly type: 'Salvage'
  readonly reason: string
}

export interface Withdraw extends FileCommand {
  readonly type: 'Withdraw'
  readonly reason?: string | undefined
}

export type IndexingCommand =
  | Sight
  | Adopt
  | Claim
  | ExtendClaim
  | ReleaseClaim
  | ExpireClaim
  | Report
  | LoseLines
  | Park
  | Rescue
  | Reset
  | Salvage
  | Withdraw
