import { allDeclared } from './declared.ts'
import type { Workflow } from './workflow.ts'

export const workflows: readonly Workflow[] = await Promise.all(
  allDeclared.map(async ({ summary, workflow }) => ({ ...(await workflow()), ...(summary && { summary }) })),
)
