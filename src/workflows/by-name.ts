import type { summaries } from './summaries.ts'
import type { Workflow } from './workflow.ts'

/** A workflow that has a command of its own, without the others. */
export const byName: Readonly<Record<string, (() => Promise<Workflow>) | undefined>> = {
  fixity: async () => (await import('./fixity/workflow.ts')).fixityWorkflow,
  indexing: async () => (await import('./indexing/workflow.ts')).indexingWorkflow,
  ingest: async () => (await import('./ingest/workflow.ts')).ingestWorkflow,
  matching: async () => (await import('./matching/workflow.ts')).matchingWorkflow,
  research: async () => (await import('./research/workflow.ts')).researchWorkflow,
  settings: async () => (await import('./settings/workflow.ts')).settingsWorkflow,
} satisfies Readonly<Record<keyof typeof summaries, () => Promise<Workflow>>>
