import type { Command } from '../kernel/decider.ts'
import type { Silence } from '../kernel/lease.ts'
import type { Checksum } from './checksum.ts'
import type { LaggingIndex, Queue, Settlement } from './events.ts'
import type { Item } from './item.ts'
import type { ContentObservation, StorageObservation, Word } from './messages.ts'
import type { Policy } from './store/events.ts'

/** Every command is aimed at one item. Times are ISO 8601 UTC. */
interface ItemCommand extends Command {
  readonly item: Item
}

/** The audit log says what the content is. */
export interface RecordContent extends ItemCommand {
  readonly type: 'RecordContent'
  readonly checksums: readonly Checksum[]
  /** Bytes. */
  readonly size?: number | undefined
  readonly version?: string | undefined
  readonly recordedFrom: string
}

/** The audit log says that the content was deleted on purpose. */
export interface RemoveContent extends ItemCommand {
  readonly type: 'RemoveContent'
  readonly reason?: string | undefined
  readonly policy: Policy
}

/** An outside index says what it holds. */
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

/** Granted where the events hold `CheckClaimed`. */
export interface Claim extends ItemCommand {
  readonly type: 'Claim'
  readonly holder: string
  readonly deadline: string
  /** How long the holder may be silent. */
  readonly millis: number
}

export interface ExtendClaim extends ItemCommand {
  readonly type: 'ExtendClaim'
  readonly fence: number
  readonly deadline: string
}

export interface ReleaseClaim extends ItemCommand {
  readonly type: 'ReleaseClaim'
  readonly fence: number
  readonly reason: string
}

/** From the ticker. Without effect while the claim is active, unless the holder was silent for as long as it may be. */
export interface ExpireClaim extends ItemCommand {
  readonly type: 'ExpireClaim'
  readonly silence?: Silence | undefined
}

/** From a person, whoever holds the claim. */
export interface EndClaim extends ItemCommand {
  readonly type: 'EndClaim'
  readonly reason: string
}

/**
 * What an observer found. Its words of index and audit log are compared with what those said themselves before, and count
 * alone where they said nothing.
 */
export interface Observe extends ItemCommand {
  readonly type: 'Observe'
  readonly content: ContentObservation
  readonly storage: StorageObservation
  /** The index as the observer found it. It precedes `index`, not what an outside index said before. */
  readonly observedIndex?: Word | undefined
  /** Our own index, for items of which no outside index has said anything. */
  readonly index: Word | LaggingIndex
  /** The audit log as the observer found it. Where it differs from what was recorded, that is a finding. */
  readonly audit?: Word | undefined
  /** Number of the claim under which it was read; absent from observers that claim nothing. */
  readonly fence?: number | undefined
  readonly worker?: string | undefined
  readonly observedAt: string
  readonly policy: Policy
  /** The last look at the item, where a batch has it: the item's own stream does not know of it. */
  readonly lastLook?: LastLook | undefined
}

export interface LastLook {
  readonly observedAt: string
  /** A look at this record saw a file, and no symbolic link. */
  readonly sawFile: boolean
}

/** From the batch that it was claimed in, and whose holder was not heard of again: an attempt failed. */
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

/** The content that was last read is right: it becomes the audit log's record. */
export interface AcceptContent extends ItemCommand {
  readonly type: 'AcceptContent'
  readonly reason: string
  /** The last look, where a batch has it: the item's own stream does not know of it. */
  readonly lastIntact?: LastIntact | undefined
}

/** What was read was as recorded. */
export interface LastIntact {
  readonly observedAt: string
  readonly checksums: readonly Checksum[]
  readonly size: number
}

export type FixityCommand =
  | RecordContent
  | RemoveContent
  | RecordIndex
  | RemoveIndex
  | RequestCheck
  | Claim
  | ExtendClaim
  | ReleaseClaim
  | ExpireClaim
  | EndClaim
  | Observe
  | LoseCheck
  | ReviveCheck
  | CloseResolution
  | AcceptContent
