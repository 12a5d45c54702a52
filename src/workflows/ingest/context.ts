import type { InspectBucket } from '../../ports/bucket-inspector.ts'
import type { IngesterContext } from '../../workers/ingest/ingester-context.ts'
import { type Adapters, withOwn } from '../adapters.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import type { IngestConfig } from './settings.ts'

declare module '../adapters.ts' {
  interface Adapters {
    readonly ingest: Pick<
      IngesterContext,
      'objectStore' | 'storageRoot' | 'openContent' | 'openUploads' | 'minter' | 'mailer'
    > & {
      /** Returns the folder of an object in storage; undefined if storage is missing, or does not answer. */
      placeOfObject(object: string): Promise<string | undefined>
      readonly inspectBucket: InspectBucket
    }
  }
}

export type IngestContext = WorkflowContext<IngestConfig> & Adapters['ingest']

export const ingestContext = (context: WorkflowContext<IngestConfig>): IngestContext =>
  withOwn(context, context.adapters.ingest)
