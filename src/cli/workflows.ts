import { declared, declaredAs } from '../workflows/declared.ts'
import type { Register } from './context.ts'

/** `fonds <workflow> …`, for each workflow with a summary. Its sub-commands are made from its declarations. */
export const registerWorkflows: Register = async (program, context, isTyped, argv) => {
  const named = Object.keys(declared).map((name) => ({ name, summary: declaredAs(name)?.summary }))
  for (const { name, summary } of context.workflows ?? named) {
    if (summary === undefined) continue
    const group = program.command(name).summary(summary)
    if (!isTyped(name)) continue
    const { registerCommands } = await import('./workflow-commands.ts')
    await registerCommands(group, context, wantsHelp(argv) ? undefined : argv[argv.indexOf(name) + 1])
  }
}

/** Help and completion list all sub-commands. */
const wantsHelp = (argv: readonly string[]): boolean =>
  ['help', '--help', '-h', 'completion'].some((word) => argv.includes(word))
