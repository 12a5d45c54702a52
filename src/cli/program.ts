import { Command, CommanderError, Option } from 'commander'
import { createColors } from 'picocolors'
import manifest from '../../package.json' with { type: 'json' }
import type { CliContext } from './context.ts'
import { exitCodeOf, exitCodes } from './output/exit-codes.ts'
import { wantsColour } from './output/output.ts'
import { visible } from './output/text.ts'
import { settingFlags } from './setting-flags.ts'
import { addSubCommands } from './sub-commands.ts'

/** The whole command line. Resolves with the exit code; writes to the context's streams alone. */
export const runCli = async (argv: readonly string[], context: CliContext): Promise<number> => {
  // A closed pipe is no error: nobody reads what is written there.
  for (const stream of [context.stdout, context.stderr]) stream.on('error', () => {})
  const program = makeProgram(context)
  try {
    await addSubCommands(program, argv, context)
    if (argv.length === 0) {
      const { firstHelp } = await import('./first-help.ts')
      context.stderr.write(
        firstHelp(createColors(wantsColour(context.stderr.isTTY === true, context.env)).bold),
      )
      return exitCodes.usage
    }
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
  for (const { flag, description } of settingFlags)
    program.addOption(new Option(flag, description).hideHelp())
  const help = new Command('help').argument('[command]').summary('say how a command is used, with examples')
  program.addHelpCommand(help.helpGroup('Start:')).addHelpText('after', helpEnd)
  return program
}

const helpEnd = `
The flags of settings go with every command, such as --home <folder>: \`fonds settings --help\` lists all, with their variables.
Exit codes: 0 done, 1 the system said no, 2 wrong usage, 3 something it depends on is away.
On a terminal there are tables; in a pipe JSON lines. \`fonds <command> --help\` shows examples, docs/words.md what words mean.`
