import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { BrokerFailure } from './broker-failure.ts'
import type { GroupBinding } from './group-binding.ts'

/**
 * Key and headers byte for byte, where text cannot represent them: bytes that are not UTF-8, or a header name that
 * occurs more than once. Beside it, `key` and `headers` hold the readable part.
 */
export interface RawKeyAndHeaders {
  readonly key: Uint8Array | null
  readonly headers: readonly RawHeader[]
}

interface RawHeader {
  readonly name: string
  readonly value: Uint8Array
}

/** A record to produce. The key orders: one key, one partition. */
export interface ProducerRecord {
  readonly topic: string
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly value: string | Uint8Array
  /** Sent instead of `key` and `headers`. A broker that stores only text refuses it. */
  readonly raw?: RawKeyAndHeaders
  /** References of personal values in it are the archive's own. Absent: they are texts that somebody typed. Not sent. */
  readonly sealed?: boolean
  /** The same of its source. */
  readonly sealedSource?: boolean
}

/** All of a record that may be overwritten. */
export type RecordContent = Pick<ProducerRecord, 'key' | 'headers' | 'value'>

/** A consumed record. The value is whatever bytes the producer sent. */
export interface BrokerRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly value: string | Uint8Array
  readonly raw?: RawKeyAndHeaders
  /** When the broker accepted it: ISO 8601 UTC. */
  readonly timestamp: string
}

export interface RecordPlace {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

export interface TopicSettings {
  readonly name: string
  /** Fixed at creation. */
  readonly partitions: number
  /** Records older than this may be dropped once every group is past them; absent: kept for ever. */
  readonly retentionMillis?: number
}

export interface TopicInfo extends TopicSettings {
  /** Per partition: offset of the oldest record kept, and the offset the next record will get. */
  readonly offsets: readonly { readonly partition: number; readonly start: bigint; readonly end: bigint }[]
}

export interface GroupInfo {
  readonly group: string
  readonly members: readonly {
    readonly member: string
    readonly partitions: readonly string[]
    readonly aliveUntil: string
  }[]
  readonly partitions: readonly {
    readonly topic: string
    readonly partition: number
    /** Next offset to handle; the end if nothing before it can be handled. */
    readonly committed: bigint
    /** End offset of the records that can be handled now. */
    readonly end: bigint
    readonly lag: bigint
    readonly member: string | null
  }[]
}

/** Records of one partition in offset order. */
export interface RecordBatch {
  readonly topic: string
  readonly partition: number
  readonly records: readonly BrokerRecord[]
}

/**
 * Handles a batch and returns the next offset to commit: everything below it is finished for good. Checks `signal`
 * between pieces of work: once aborted (shut-down, partition lost) it stops early with what is contiguous. Throws only
 * if a dependency is unavailable; the batch is then delivered again after a pause.
 */
export type BatchHandler = (batch: RecordBatch, signal: AbortSignal) => Promise<bigint>

export interface ConsumeOptions {
  readonly group: string
  /** The group's former name: a group that never committed continues from that one's offsets. */
  readonly formerGroup?: string
  readonly topics: readonly string[]
  /** Most records a batch may hold. */
  readonly batchSize?: number
}

/** A partition that delivers nothing to its member, although it has records. */
export interface StoppedPartition {
  readonly topic: string
  readonly partition: number
  /** The first offset that cannot be read. */
  readonly offset: bigint
  /** ISO 8601 UTC. */
  readonly since: string
  readonly because: string
}

/** A member that should be in its group and is not. */
export interface BrokenMember {
  /** ISO 8601 UTC. */
  readonly since: string
  readonly because: string
}

export interface Consumption {
  readonly member: string
  /** Why it takes nothing of any partition now, though it keeps retrying; undefined while it is in the group. */
  broken?(): BrokenMember | undefined
  /** Partitions of this member that cannot be read: the others go on. */
  stopped?(): readonly StoppedPartition[]
  /** Why it takes nothing until a person has intervened; undefined while it works. */
  refused?(): string | undefined
  /** Stops intake, waits for the batches under way, commits them, leaves the group. */
  stop(): Promise<void>
}

export interface Broker {
  /**
   * Identifies the logs that offsets count in. It is created with them, so a new cluster or file has another. A broker
   * that is reached over a network knows it from the first call on, `consume` at the latest.
   */
  readonly id: string
  /** Creates the topics that are missing. Existing ones keep their partitions. */
  ensureTopics(topics: readonly TopicSettings[]): TaskEither<BrokerFailure, void>
  /** Writes all records or none, in order per key. Resolves when they are durable. */
  produce(records: readonly ProducerRecord[]): TaskEither<BrokerFailure, readonly RecordPlace[]>
  /**
   * Joins the group. Its partitions are shared among live members, each partition with one member at a time. A handler
   * that goes on though its signal has aborted may overlap with the next member's: its work must tolerate that.
   */
  consume(options: ConsumeOptions, handler: BatchHandler): Promise<Consumption>
  topics(): TaskEither<BrokerFailure, readonly TopicInfo[]>
  groups(): TaskEither<BrokerFailure, readonly GroupInfo[]>
  /** Reads at most `limit` records from an offset on, for people to inspect. */
  peek(
    topic: string,
    partition: number,
    from: bigint,
    limit: number,
  ): TaskEither<BrokerFailure, readonly BrokerRecord[]>
  /**
   * Overwrites records where they are, with what `change` returns for each of a page, in the same order; undefined: it stays. What was
   * there before is on no page of the file, and not in its write-ahead log. Resolves with the number of them. Absent: nobody can.
   */
  overwrite?(
    change: (records: readonly BrokerRecord[]) => Promise<readonly (RecordContent | undefined)[]>,
  ): TaskEither<BrokerFailure, number>
  /** Absent if groups are stored in one file with the topics. */
  readonly binding?: GroupBinding
  close(): Promise<void>
}
