import type { Command } from '../kernel/decider.ts'
import type { EmbargoWord } from '../kernel/embargo.ts'
import type { ClaimTerms, ClaimUpkeep } from '../kernel/task.ts'
import type { ArchiveFile } from './file.ts'
import type { KnownKind } from './kind.ts'
import type { JobOutcome } from './outcome.ts'
import type { Place } from './place.ts'
import type { Policy } from './policy.ts'

/** Every command is aimed at one file. Times are ISO 8601 UTC. */
interface FileCommand extends Command {
  readonly file: ArchiveFile
}

/** A list contains the file. */
export interface Sight extends FileCommand {
  readonly type: 'Sight'
  readonly place: Place
  /** Absent: derived from the name. */
  readonly kind?: KnownKind | undefined
  /** Absent: what was decided before. */
  readonly embargoUntil?: EmbargoWord | undefined
  readonly policy: Policy
}

/** The file was indexed before Fonds was in use. */
export interface Adopt extends FileCommand {
  readonly type: 'Adopt'
  readonly place?: Place | undefined
  readonly kind?: KnownKind | undefined
  /** Absent: what was decided before. */
  readonly embargoUntil?: EmbargoWord | undefined
}

/** Granted if the events contain `FileClaimed`. */
export interface Claim extends FileCommand, ClaimTerms {
  readonly type: 'Claim'
  readonly policy: Policy
}

/** A worker's report of its job. */
export interface Report extends FileCommand {
  readonly type: 'Report'
  readonly fence: number
  readonly outcome: JobOutcome
  readonly policy: Policy
}

/** The index could not accept the recorded lines. */
export interface LoseLines extends FileCommand {
  readonly type: 'LoseLines'
  /** Digest of the lines. */
  readonly digest: string
  readonly reason: string
  readonly policy: Policy
}

export interface Park extends FileCommand {
  readonly type: 'Park'
  readonly reason: string
}

/** Puts a parked file back into the queue. */
export interface Rescue extends FileCommand {
  readonly type: 'Rescue'
  readonly reason: string
}

/** Indexes any file again, even a withdrawn one. */
export interface Reset extends FileCommand {
  readonly type: 'Reset'
  readonly kind?: KnownKind | undefined
  readonly reason: string
}

/** Indexes the intact part of a damaged file. */
export interface Salvage extends FileCommand {
  readonly type: 'Salvage'
  readonly reason: string
}

export interface Withdraw extends FileCommand {
  readonly type: 'Withdraw'
  readonly reason?: string | undefined
}

/** Shows nothing of the file until a day is over. */
export interface SetEmbargo extends FileCommand {
  readonly type: 'SetEmbargo'
  /** The last day (UTC). */
  readonly until: string
  readonly reason: string
}

export interface LiftEmbargo extends FileCommand {
  readonly type: 'LiftEmbargo'
  readonly reason: string
}

export type IndexingCommand =
  | Sight
  | Adopt
  | Claim
  | (FileCommand & ClaimUpkeep<Pick<Claim, 'policy'>>)
  | Report
  | LoseLines
  | Park
  | Rescue
  | Reset
  | Salvage
  | Withdraw
  | SetEmbargo
  | LiftEmbargo
