import type { CdxFormat } from '@fonds/cdx'
import type { CaptureIndex } from '../../ports/capture-index.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { PolicySettings } from './policy-in.ts'
import type { PollerContext } from './poller.ts'

interface IndexingSettings extends PolicySettings {
  readonly indexingOrder: 'newest-first' | 'oldest-first'
  /** Folder of the lines. */
  readonly indexingFolder: string
  readonly indexingFormat: CdxFormat
  /** Whether keys of responses say what was sent by POST or PUT. */
  readonly indexingRequestKeys: 'on' | 'off'
  /** Interval at which runs of the index are merged. */
  readonly indexingAggregateSeconds: number
  /** Maximum number of lines that one query for captures may scan. */
  readonly indexingScanLines: number
  /** Hosts that archive files may be fetched from; absent: any. */
  readonly ingestHosts?: string
  /** Percentage of a disk that may be in use when files are fetched from elsewhere. */
  readonly ingestThresholdPercent: number
  readonly idleMinSeconds: number
  readonly idleMaxSeconds: number
  /** Plain index files; absent: none. */
  readonly indexingFiles?: string
  /** Address and port at which this system answers. */
  readonly host: string
  readonly port: number
}

export interface IndexingContext extends PollerContext {
  readonly telemetry: Telemetry
  /** The sorted index of captures: opened at its first use, and closed with the system. */
  readonly captureIndex: () => CaptureIndex
  /** Its folder, `<indexingFolder>/runs`: workers write runs there. */
  readonly captureIndexFolder: string
  /** A module whose default export is `OpenRunWriter`. */
  readonly runWriterModule: URL
  /** A module that opens a content store, for threads that read from buckets and web servers. */
  readonly contentStoreModule: URL
  /** Its settings, as the module wants them; structured-clonable. */
  readonly contentSettings?: unknown
  readonly config: PollerContext['config'] & IndexingSettings
}
