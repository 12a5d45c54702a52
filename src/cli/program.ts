import { Command, CommanderError, Option } from 'commander'
import { createColors } from 'picocolors'
import manifest from '../../package.json' with { type: 'json' }
import { settings } from '../app/config/settings.ts'
import { dashed, isNumber, variableOf } from '../domain/kernel/setting.ts'
import { registerBackup } from './backup.ts'
import { registerCompletion } from './completion.ts'
import { registerConsume } from './consume.ts'
import type { CliContext, Register } from './context.ts'
import { registerDeadLetters } from './dead-letters.ts'
import { registerDemo } from './demo.ts'
import { registerDiff } from './diff.ts'
import { registerDo } from './do.ts'
import { registerDoctor } from './doctor.ts'
import { registerEvents } from './events.ts'
import { registerHistory } from './history.ts'
import { registerMigrate } from './migrate.ts'
import { exitCodeOf, exitCodes } from './output/exit-codes.ts'
import { wantsColour } from './output/output.ts'
import { visible } from './output/text.ts'
import { registerProduce } from './produce.ts'
import { registerQuery } from './query.ts'
import { registerRebuild } from './rebuild.ts'
import { registerSchema } from './schema.ts'
import { registerStart } from './start.ts'
import { registerStorage } from './storage.ts'
import { registerTopics } from './topics.ts'
import { registerWorker } from './worker.ts'
import { registerWorkflows } from './workflows.ts'

const subCommands: readonly Register[] = [
  registerStart,
  registerDemo,
  registerWorkflows,
  registerProduce,
  registerConsume,
  registerQuery,
  registerDiff,
  registerEvents,
  registerHistory,
  registerDo,
  registerDeadLetters,
  registerRebuild,
  registerMigrate,
  registerBackup,
  registerWorker,
  registerTopics,
  registerSchema,
  registerDoctor,
  registerStorage,
  registerCompletion,
]

/** The whole command line. Resolves with the exit code; writes to the context's streams alone. */
export const runCli = async (argv: readonly string[], context: CliContext): Promise<number> => {
  // A closed pipe is no error: nobody reads what is written there.
  for (const stream of [context.stdout, context.stderr]) stream.on('error', () => {})
  const program = makeProgram(context)
  try {
    await addCommands(program, argv, context)
    if (argv.length === 0) program.help({ error: true })
    await program.parseAsync([...argv], { from: 'user' })
    return exitCodes.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    const { failureOf } = await import('./failures.ts')
    const failure = failureOf(error)
    const debug = ['debug', 'trace'].includes(String(program.opts().logLevel ?? context.env.FONDS_LOG_LEVEL))
    report(context, failure.message, failure.hint)
    if (debug && error instanceof Error) context.stderr.write(`${error.stack}\n`)
    return exitCodeOf(failure)
  }
}

const report = ({ stderr, env }: CliContext, message: string, hint?: string): void => {
  const { red, dim } = createColors(wantsColour(stderr.isTTY === true, env))
  const lines = message.split('\n').map(visible).join('\n')
  stderr.write(`${red('error:')} ${lines}\n${hint ? `${dim(visible(hint))}\n` : ''}`)
}

const makeProgram = (context: CliContext): Command => {
  const { stdout, stderr, env } = context
  const program = new Command('fonds')
  const { bold, cyan } = createColors(true)
  program
    .description('Fonds runs the recurring work of a digital archive; every fact in it is an event.')
    .version(manifest.version, '--version', 'say the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => wantsColour(stdout.isTTY === true, env),
      getErrHasColors: () => wantsColour(stderr.isTTY === true, env),
    })
    .configureHelp({ styleTitle: bold, styleCommandText: cyan, styleSubcommandText: cyan })
    .helpOption('-h, --help', 'say how it is used, with examples')
    .helpCommand('help [command]', 'say how a command is used, with examples')
  for (const { flag, description } of settingFlags)
    program.addOption(new Option(flag, description).hideHelp())
  program.addHelpText('after', () => helpEnd(bold))
  return program
}

/** A name counts as typed wherever it stands: what is loaded in vain costs time alone. Completion is made of all that may be typed. */
const addCommands = async (program: Command, argv: readonly string[], context: CliContext): Promise<void> => {
  const isTyped = (name: string) => argv.includes(name) || argv.includes('completion')
  for (const register of subCommands) await register(program, context, isTyped)
}

const settingFlags: readonly { readonly flag: string; readonly description: string }[] = [
  {
    flag: '--config <file>',
    description: 'JSON file of settings, each by its name: {"home": "/srv/fonds"} (FONDS_CONFIG)',
  },
  ...Object.entries(settings).map(([name, setting]) => ({
    flag: `--${dashed(name)} <${setting.value ?? (isNumber(setting) ? 'n' : 'text')}>`,
    description: `${setting.description} (${variableOf(name)})`,
  })),
]

/** Settings go with every command, so they stand behind the commands instead of in front of them. */
const helpEnd = (bold: (text: string) => string): string => {
  const widest = Math.max(...settingFlags.map(({ flag }) => flag.length))
  const lines = settingFlags.map(({ flag, description }) => `  ${flag.padEnd(widest)}  ${description}`)
  return `
${bold('Settings, for every command (flags over FONDS_* over the config file):')}
${lines.join('\n')}

Exit codes: 0 done, 1 the system said no, 2 wrong usage, 3 something it depends on is away.
On a terminal there are tables; in a pipe JSON lines. \`fonds <command> --help\` shows examples.`
}
