import type { Questions } from './questions.ts'
import type { Workflow } from './workflow.ts'
import type { WorkflowModel } from './workflow-model.ts'

interface Declared {
  /** The question it answers, for the help: `fonds <name>`; absent if the command line has none. */
  readonly summary?: string
  /** Its topics, events and views, without its message handlers. */
  model(): Promise<WorkflowModel>
  /** Each of its questions, without the rest of it. Absent: they are loaded with the whole workflow. */
  questions?(): Promise<Questions>
  /** The whole workflow. */
  workflow(): Promise<Workflow>
}

/** All workflows, in the order of the help. Each is loaded when it is needed. */
export const declared = {
  system: {
    model: async () => (await import('./system/model.ts')).systemModel,
    workflow: async () => (await import('./system/workflow.ts')).systemWorkflow,
  },
  fixity: {
    summary: 'is the content still what it was?',
    model: async () => (await import('./fixity/model.ts')).fixityModel,
    questions: async () => (await import('./fixity/questions.ts')).fixityQuestions,
    workflow: async () => (await import('./fixity/workflow.ts')).fixityWorkflow,
  },
  indexing: {
    summary: 'can every harvested page be found?',
    model: async () => (await import('./indexing/model.ts')).indexingModel,
    questions: async () => (await import('./indexing/questions.ts')).indexingQuestions,
    workflow: async () => (await import('./indexing/workflow.ts')).indexingWorkflow,
  },
  ingest: {
    summary: 'what became of what was submitted?',
    model: async () => (await import('./ingest/model.ts')).ingestModel,
    questions: async () => (await import('./ingest/questions.ts')).ingestQuestions,
    workflow: async () => (await import('./ingest/workflow.ts')).ingestWorkflow,
  },
  matching: {
    summary: 'which records are about one and the same work?',
    model: async () => (await import('./matching/model.ts')).matchingModel,
    questions: async () => (await import('./matching/questions.ts')).matchingQuestions,
    workflow: async () => (await import('./matching/workflow.ts')).matchingWorkflow,
  },
  research: {
    summary: 'which clips are in which episodes, and where?',
    model: async () => (await import('./research/model.ts')).researchModel,
    questions: async () => (await import('./research/questions.ts')).researchQuestions,
    workflow: async () => (await import('./research/workflow.ts')).researchWorkflow,
  },
  chain: {
    summary: 'how far has each object come through the workflows?',
    model: async () => (await import('./chain/model.ts')).chainModel,
    questions: async () => (await import('./chain/questions.ts')).chainQuestions,
    workflow: async () => (await import('./chain/workflow.ts')).chainWorkflow,
  },
  settings: {
    summary: 'what is the archive set to, by whom and why?',
    model: async () => (await import('./settings/model.ts')).settingsModel,
    workflow: async () => (await import('./settings/workflow.ts')).settingsWorkflow,
  },
  people: {
    summary: 'who are those whom the log has references of?',
    model: async () => (await import('./people/model.ts')).peopleModel,
    workflow: async () => (await import('./people/workflow.ts')).peopleWorkflow,
  },
  retention: {
    summary: 'what is kept for how long, by whose word?',
    model: async () => (await import('./retention/model.ts')).retentionModel,
    workflow: async () => (await import('./retention/workflow.ts')).retentionWorkflow,
  },
  premis: {
    model: async () => (await import('./premis/model.ts')).premisModel,
    workflow: async () => (await import('./premis/workflow.ts')).premisWorkflow,
  },
} satisfies Readonly<Record<string, Declared>>

/** Undefined if there is none. */
export const declaredAs = (name: string): Declared | undefined =>
  (declared as Readonly<Record<string, Declared>>)[name]

export const allDeclared: readonly Declared[] = Object.values(declared)
