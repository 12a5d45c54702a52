import type { Command } from '../kernel/decider.ts'
import type { ClaimTerms, ClaimUpkeep } from '../kernel/task.ts'
import type { Checksum } from './checksum.ts'
import type { LaggingIndex, Queue, Settlement } from './events.ts'
import type { Item } from './item.ts'
import type { ContentObservation, StorageObservation, Word } from './messages.ts'
import type { Misreading } from './misreading.ts'
import type { Policy } from './store/events.ts'
import type { VersionSeen } from './version-check.ts'

/** Every command targets one item. Times are ISO 8601 UTC. */
interface ItemCommand extends Command {
  readonly item: Item
}

/** The audit log's record of the content. */
export interface RecordContent extends ItemCommand {
  readonly type: 'RecordContent'
  readonly checksums: readonly Checksum[]
  /** Bytes. */
  readonly size?: number | undefined
  readonly version?: string | undefined
  readonly recordedFrom: string
}

/** The audit log reports that the content was deleted on purpose. */
export interface RemoveContent extends ItemCommand {
  readonly type: 'RemoveContent'
  readonly reason?: string | undefined
  readonly policy: Policy
}

/** An outside index reports its entry. */
export interface RecordIndex extends ItemCommand {
  readonly type: 'RecordIndex'
  readonly checksums: readonly Checksum[]
  readonly size?: number | undefined
}

export interface RemoveIndex extends ItemCommand {
  readonly type: 'RemoveIndex'
}

export interface RequestCheck extends ItemCommand {
  readonly type: 'RequestCheck'
  readonly queue: Queue
  readonly reason: string
}

/** From the storage, or an observer of it: the content was created, overwritten or deleted. */
export interface SightContent extends ItemCommand {
  readonly type: 'SightContent'
  readonly isDeleted: boolean
  /** Time of the change, by the clock of whoever saw it. */
  readonly sightedAt: string
}

/** Granted if the events contain `CheckClaimed`. */
export interface Claim extends ItemCommand, ClaimTerms {
  readonly type: 'Claim'
}

/** From a person, whoever holds the claim. */
export interface EndClaim extends ItemCommand {
  readonly type: 'EndClaim'
  readonly reason: string
}

/**
 * An observer's findings. Its values of index and audit log are compared with those that index and audit log reported
 * themselves. They count alone if there are none.
 */
export interface Observe extends ItemCommand {
  readonly type: 'Observe'
  readonly content: ContentObservation
  readonly storage: StorageObservation
  /**
   * The index as the observer found it. It takes precedence over `index`, not over what an outside index reported
   * before.
   */
  readonly observedIndex?: Word | undefined
  /** Our own index, for items that no outside index has reported. */
  readonly index: Word | LaggingIndex
  /** The audit log as the observer found it. A difference from the record is a finding. */
  readonly audit?: Word | undefined
  /** Fence of the claim under which it was read; absent from observers that claim nothing. */
  readonly fence?: number | undefined
  readonly worker?: string | undefined
  readonly observedAt: string
  readonly policy: Policy
  /** The last observation of the item, if it came from a batch: the item's own stream does not contain it. */
  readonly lastObservation?: LastObservation | undefined
}

export interface LastObservation {
  readonly observedAt: string
  /** An observation since this record saw a file, and no symbolic link. */
  readonly sawFile: boolean
}

/** From the batch that the item was claimed in, and whose holder was not heard of again: counts as a failed attempt. */
export interface LoseCheck extends ItemCommand {
  readonly type: 'LoseCheck'
  readonly error: string
}

export interface ReviveCheck extends ItemCommand {
  readonly type: 'ReviveCheck'
  readonly reason: string
}

export interface CloseResolution extends ItemCommand {
  readonly type: 'CloseResolution'
  readonly resolution: string
  readonly how: Exclude<Settlement, 'verified'>
  readonly reason: string
}

export interface AssignResolution extends ItemCommand {
  readonly type: 'AssignResolution'
  readonly resolution: string
  /** Mail address; undefined: nobody any more. */
  readonly to: string | undefined
  readonly reason: string
}

/** The content that was last read is right: it becomes the audit log's record. */
export interface AcceptContent extends ItemCommand {
  readonly type: 'AcceptContent'
  readonly reason: string
  /** The last observation, if it came from a batch: the item's own stream does not contain it. */
  readonly lastIntact?: LastIntact | undefined
}

/** Bytes as last read, which were as recorded. */
export interface LastIntact {
  readonly observedAt: string
  readonly checksums: readonly Checksum[]
  readonly size: number
}

/** A version of the content was read, which may not be the current one. */
export interface CheckVersion extends ItemCommand {
  readonly type: 'CheckVersion'
  /** The storage's own name of it. */
  readonly versionId: string
  readonly seen: VersionSeen
  readonly observedAt: string
  readonly reason: string
}

/** The item stands recorded because its name was misread: no such file ever was. */
export interface WithdrawMisread extends ItemCommand {
  readonly type: 'WithdrawMisread'
  readonly misread: Misreading
  /** The file that was meant. */
  readonly file?: string | undefined
  readonly reason: string
  /** A check in a batch saw it: the item's own stream does not contain that. */
  readonly wasSeen: boolean
}

export type FixityCommand =
  | RecordContent
  | RemoveContent
  | RecordIndex
  | RemoveIndex
  | RequestCheck
  | SightContent
  | Claim
  | (ItemCommand & ClaimUpkeep)
  | EndClaim
  | Observe
  | LoseCheck
  | ReviveCheck
  | CloseResolution
  | AssignResolution
  | AcceptContent
  | WithdrawMisread
  | CheckVersion
