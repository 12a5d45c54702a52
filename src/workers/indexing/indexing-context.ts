import type { CdxFormat } from '@fonds/cdx'
import type { CaptureIndex } from '../../ports/capture-index.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { PolicySettings } from './policy-in.ts'
import type { PollerContext } from './poller.ts'

interface IndexingSettings extends PolicySettings {
  readonly indexingOrder: 'newest-first' | 'oldest-first'
  /** Where the lines lie. */
  readonly indexingFolder: string
  readonly indexingFormat: CdxFormat
  /** How often runs of the index are merged. */
  readonly indexingAggregateSeconds: number
  /** Lines that one question about captures may look at. */
  readonly indexingScanLines: number
  /** Hosts that archive files may be fetched from; absent: any. */
  readonly ingestHosts?: string
  /** So much of a disk may be used for what comes from elsewhere. */
  readonly ingestThresholdPercent: number
  readonly idleMinSeconds: number
  readonly idleMaxSeconds: number
  /** Plain index files; absent: none. */
  readonly indexingFiles?: string
  /** Where this house answers. */
  readonly host: string
  readonly port: number
}

export interface IndexingContext extends PollerContext {
  readonly telemetry: Telemetry
  /** The sorted index of captures: opened when it is first asked for, and closed with the system. */
  readonly captureIndex: () => CaptureIndex
  /** Its folder, `<indexingFolder>/runs`: workers write runs there. */
  readonly captureIndexFolder: string
  /** A module whose default export is `OpenRunWriter`. */
  readonly runWriterModule: URL
  readonly config: PollerContext['config'] & IndexingSettings
}
