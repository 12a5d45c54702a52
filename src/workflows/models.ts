import { allDeclared } from './declared.ts'
import type { WorkflowModel } from './workflow-model.ts'

/** Of all workflows what they take in, keep and show. */
export const models: readonly WorkflowModel[] = await Promise.all(allDeclared.map(({ model }) => model()))
