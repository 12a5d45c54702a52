import type { Command } from 'commander'
import type { CliContext, Register } from './context.ts'
import { registerWorkflows, workflowsWithCommands } from './workflows.ts'

/** In the help, under headings: what somebody wants. Those of workflows stand under the second one. */
const subCommands = {
  'Start:': {
    start: async () => (await import('./start.ts')).registerStart,
    demo: async () => (await import('./demo.ts')).registerDemo,
    doctor: async () => (await import('./doctor.ts')).registerDoctor,
  },
  'Work and settings:': {},
  'Ask:': {
    find: async () => (await import('./find.ts')).registerFind,
    dossier: async () => (await import('./dossier.ts')).registerDossier,
    query: async () => (await import('./query.ts')).registerQuery,
    diff: async () => (await import('./diff.ts')).registerDiff,
    history: async () => (await import('./history.ts')).registerHistory,
    events: async () => (await import('./events.ts')).registerEvents,
    premis: async () => (await import('./premis.ts')).registerPremis,
    proof: async () => (await import('./proof.ts')).registerProof,
  },
  'Messages:': {
    produce: async () => (await import('./produce.ts')).registerProduce,
    consume: async () => (await import('./consume.ts')).registerConsume,
    topics: async () => (await import('./topics.ts')).registerTopics,
    'dead-letters': async () => (await import('./dead-letters.ts')).registerDeadLetters,
    schema: async () => (await import('./schema.ts')).registerSchema,
  },
  'Run and keep:': {
    do: async () => (await import('./do.ts')).registerDo,
    worker: async () => (await import('./worker.ts')).registerWorker,
    rebuild: async () => (await import('./rebuild.ts')).registerRebuild,
    backup: async () => (await import('./backup.ts')).registerBackup,
    migrate: async () => (await import('./migrate.ts')).registerMigrate,
    storage: async () => (await import('./storage.ts')).registerStorage,
    completion: async () => (await import('./completion.ts')).registerCompletion,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, () => Promise<Register>>>>>

/**
 * Adds the sub-command that is typed, and loads no other one. Adds all where help, completion or a hint may name them. In these
 * cases a name counts as typed wherever it stands: what is loaded in vain costs time alone.
 */
export const addSubCommands = async (
  program: Command,
  argv: readonly string[],
  context: CliContext,
): Promise<void> => {
  const typed = subCommandIn(argv)
  const isOfWorkflow = workflowsWithCommands(context).some(({ name }) => name === typed)
  const only = typed !== 'completion' && (isOfWorkflow || names.includes(typed ?? '')) ? typed : undefined
  const isTyped = (name: string) =>
    only === undefined ? argv.includes(name) || argv.includes('completion') : name === only
  for (const [heading, registers] of Object.entries(subCommands)) {
    program.commandsGroup(heading)
    if (heading === 'Work and settings:' && (only === undefined || isOfWorkflow))
      await registerWorkflows(program, context, isTyped, argv)
    for (const [name, load] of Object.entries(registers))
      if (only === undefined || name === only) await (await load())(program, context, isTyped, argv)
  }
}

const names = Object.values(subCommands).flatMap((registers) => Object.keys(registers))

/** The first word that is neither a flag nor the value of one: those before it are of settings, and take a value each. */
const subCommandIn = (argv: readonly string[]): string | undefined => {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && !takesValue(argv[i - 1]))
  return argv[at]
}

const takesValue = (word = ''): boolean =>
  word.startsWith('--') && !word.includes('=') && word !== '--version' && word !== '--help'
