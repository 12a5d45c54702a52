import type { InspectBucket } from '../../ports/bucket-inspector.ts'
import type { ResearcherContext } from '../../workers/research/researcher.ts'
import { type Adapters, withOwn } from '../adapters.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import type { ResearchConfig } from './settings.ts'

declare module '../adapters.ts' {
  interface Adapters {
    readonly research: Pick<ResearcherContext, 'openContent'> & { readonly inspectBucket: InspectBucket }
  }
}

export type ResearchContext = WorkflowContext<ResearchConfig> & Adapters['research']

export const researchContext = (context: WorkflowContext<ResearchConfig>): ResearchContext =>
  withOwn(context, context.adapters.research)
