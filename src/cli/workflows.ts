import { declared, declaredAs } from '../workflows/declared.ts'
import type { CliContext, Register } from './context.ts'

/** Those with a summary, in the order of the help. */
export const workflowsWithCommands = ({
  workflows,
}: Pick<CliContext, 'workflows'>): readonly { readonly name: string; readonly summary: string }[] => {
  const all = workflows ?? Object.keys(declared).map((name) => ({ name, summary: declaredAs(name)?.summary }))
  return all.flatMap(({ name, summary }) => (summary === undefined ? [] : [{ name, summary }]))
}

/** `fonds <workflow> …`, for each workflow with a summary. Its sub-commands are made from its declarations. */
export const registerWorkflows: Register = async (program, context, isTyped, argv) => {
  for (const { name, summary } of workflowsWithCommands(context)) {
    const group = program.command(name).summary(summary)
    if (!isTyped(name)) continue
    const { registerCommands } = await import('./workflow-commands.ts')
    await registerCommands(group, context, wantsHelp(argv) ? undefined : argv[argv.indexOf(name) + 1])
  }
}

/** Help and completion list all sub-commands. */
const wantsHelp = (argv: readonly string[]): boolean =>
  ['help', '--help', '-h', 'completion'].some((word) => argv.includes(word))
