import type { CaptureIndex } from '../../ports/capture-index.ts'
import type { IndexingContext as WorkerContext } from '../../workers/indexing/indexing-context.ts'
import { type Adapters, withOwn } from '../adapters.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import type { ReadHome } from '../workflow-model.ts'
import type { IndexingConfig } from './settings.ts'

declare module '../adapters.ts' {
  interface HomeAdapters {
    readonly indexing: { readonly captureIndex: () => CaptureIndex }
  }
  interface Adapters {
    readonly indexing: Pick<
      WorkerContext,
      | 'captureIndex'
      | 'captureIndexFolder'
      | 'runWriterModule'
      | 'contentStoreModule'
      | 'contentSettings'
      | 'openContent'
    >
  }
}

export type IndexingContext = WorkflowContext<IndexingConfig> & Adapters['indexing']

export const indexingContext = (context: WorkflowContext<IndexingConfig>): IndexingContext =>
  withOwn(context, context.adapters.indexing)

/** Enough to query the index, and to maintain it. */
export const indexAlone = <H extends Pick<ReadHome, 'adapters'>>(home: H) =>
  withOwn(home, home.adapters.indexing)
