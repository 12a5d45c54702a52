import { allDeclared } from './declared.ts'
import type { WorkflowModel } from './workflow-model.ts'

/** The topics, events and views of all workflows. */
export const models: readonly WorkflowModel[] = await Promise.all(allDeclared.map(({ model }) => model()))
