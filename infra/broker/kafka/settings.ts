import type { Logger } from 'pino'
import type { OwnLog } from '../../../src/ports/group-binding.ts'

export interface KafkaSettings {
  /** `host:port` each. */
  readonly brokers: readonly string[]
  readonly clientId: string
  /** Put before the name of every topic and group; '' for none. */
  readonly topicPrefix: string
  /** Copies of a topic when it is made; -1: the cluster's default. */
  readonly replication: number
  readonly compression: 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'
  /** How long a record may wait to be sent together with others. */
  readonly lingerMillis: number
  /** PEM texts; absent: no TLS. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
}

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export interface KafkaOptions {
  /** How long a silent member keeps its partitions; heartbeats and rebalances are timed by it. */
  readonly sessionMillis?: number
  /** A member whose batch takes longer counts as hung: it gives its partitions up. */
  readonly hungMillis?: number
  /** How long a call waits for Kafka. */
  readonly callMillis?: number
  /** How long `stop` waits for batches under way. */
  readonly stopMillis?: number
  /** Called with what a handler threw: the batch will be delivered again. */
  readonly onError?: (error: unknown, place: { topic: string; partition: number }) => void
  /**
   * Called where a consumer hangs, or broke down for a reason that is not likely to pass by itself. A new one is started all
   * the same. The same reason is reported again every ten minutes.
   */
  readonly onFatal?: (error: Error) => void
  readonly log?: Log
  /** The log that consumer groups work for; absent: any. */
  readonly ownLog?: OwnLog
}
