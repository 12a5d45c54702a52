import { summaries } from '../workflows/summaries.ts'
import type { Register } from './context.ts'

/** `fonds <workflow> …`, for each workflow with a summary. Its sub-commands are made from its declarations. */
export const registerWorkflows: Register = async (program, context, isTyped) => {
  const named = Object.entries(summaries).map(([name, summary]) => ({ name, summary }))
  for (const { name, summary } of context.workflows ?? named) {
    if (summary === undefined) continue
    const group = program.command(name).summary(summary)
    if (!isTyped(name)) continue
    const { registerCommands } = await import('./workflow-commands.ts')
    await registerCommands(group, context)
  }
}
