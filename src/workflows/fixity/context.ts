import type { InspectBucket } from '../../ports/bucket-inspector.ts'
import type { OpenInventory } from '../../ports/bucket-inventory.ts'
import type { BucketMeter } from '../../ports/bucket-meter.ts'
import type { OpenRestorer } from '../../ports/bucket-restorer.ts'
import type { BucketTotals } from '../../ports/bucket-totals.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { CheckerContext } from '../../workers/fixity/checker.ts'
import { type Adapters, withOwn } from '../adapters.ts'
import type { WorkflowContext } from '../workflow-context.ts'

declare module '../adapters.ts' {
  interface Adapters {
    readonly fixity: Pick<CheckerContext, 'openContent' | 'contentStoreModule' | 'contentSettings'> & {
      readonly inspectBucket: InspectBucket
      readonly openRestorer: OpenRestorer
      /** Opens one version of the objects of a bucket. */
      readonly openVersion: (
        address: string,
        versionId: string,
      ) => Promise<Pick<ContentStore, 'stat' | 'read'>>
      readonly openInventory: OpenInventory
      readonly bucketTotals: () => BucketTotals
      /** Meters the requests that the other functions here make. */
      readonly bucketMeter: BucketMeter
    }
  }
}

export type FixityContext = WorkflowContext & Adapters['fixity']

export const fixityContext = (context: WorkflowContext): FixityContext =>
  withOwn(context, context.adapters.fixity)
