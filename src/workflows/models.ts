import { allDeclared, declaredAs } from './declared.ts'
import type { WorkflowModel } from './workflow-model.ts'

/** The topics, events and views of these workflows; absent: of all. */
export const loadModels = (names?: readonly string[]): Promise<readonly WorkflowModel[]> => {
  const wanted = names?.flatMap((name) => declaredAs(name) ?? []) ?? allDeclared
  return Promise.all(wanted.map(({ model }) => model()))
}
