import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { type GivenSettings, readSettings } from '../app/config/config.ts'
import { keepPrivate } from '../app/config/file-modes.ts'
import type { Config } from '../app/config/settings.ts'
import type { Http } from '../app/http-server.ts'
import type { Home, System } from '../app/system.ts'
import { aborted } from '../async/aborted.ts'
import type { PersonalValues } from '../ports/personal-values.ts'
import type { AloneContext, Workflow } from '../workflows/workflow.ts'
import { type CliFailure, CommandFailed, refused, usage } from './output/exit-codes.ts'
import { mayHoldPersonal, type Output, outputTo, type Readable as Shown } from './output/output.ts'
import { type Progress, type ProgressOptions, startProgress } from './output/progress.ts'
import { visible } from './output/text.ts'

type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The environment of a command line: created by main.ts, or by a test. */
export interface CliContext {
  /** Without `isMeasured`, its metrics are not queried. */
  openSystem(config: Config, options: SystemOptions): Promise<System>
  /** For commands that only read, or produce messages; absent: they open the whole system. */
  openHome?(config: Config, given: GivenSettings, workflows?: readonly string[]): Promise<Home>
  /** For workers that need no home; absent: they open one. */
  openAlone?(config: Config): Promise<Alone>
  /** Values that answers have references of; absent: answers say that they are not readable here. */
  openPersonal?(config: Config): Promise<PersonalValues>
  /** Their questions and commands are sub-commands; absent: all workflows. */
  readonly workflows?: readonly Workflow[]
  /** Loaded on first use: most commands need no HTTP server. */
  http(): Promise<Http>
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Terminal
  readonly stderr: Terminal
}

interface SystemOptions {
  readonly isMeasured?: boolean
  /** The settings that override those of the log. */
  readonly given?: GivenSettings
}

/** The parts of a system that need no home. */
export type Alone = Omit<AloneContext, 'config'> & { close(): Promise<void> }

/**
 * Adds a sub-command. Parts derived from the declarations of workflows are loaded if the sub-command's name is typed.
 * `argv`: all words that are typed.
 */
export type Register = (
  program: Command,
  context: CliContext,
  isTyped: (name: string) => boolean,
  argv: readonly string[],
) => void | Promise<void>

/** Adds sub-commands to one. */
export type RegisterIn = (group: Command, context: CliContext) => void

/** The environment of a running sub-command. */
export interface Session {
  /** Without the settings of the log, which `system()` and `home()` add to theirs. */
  readonly config: Config
  /** The settings that override those of the log. */
  readonly given: GivenSettings
  /** Settings given as flags. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: NodeJS.ProcessEnv
  readonly stdin: CliContext['stdin']
  readonly output: Output
  /** Aborts on Ctrl-C, on SIGTERM, and when the reader of the output has closed it. */
  readonly signal: AbortSignal
  /** Opened on first use, closed when the command is done. Rejects if its files cannot be used. */
  system(options?: Pick<SystemOptions, 'isMeasured'>): Promise<System>
  /**
   * The part of `system` that opens sooner: a command uses one of them. `workflows`: names of those that the command
   * needs, at the first call; absent: all. It may get more than these.
   */
  home(workflows?: readonly string[]): Promise<Home>
  readonly http: CliContext['http']
  /** Writes a line for a person to standard error. */
  say(line: string): void
  progress(label: string, options?: Pick<ProgressOptions, 'total' | 'unit'>): Progress
}

/** Reason for an early end of the work. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Gets the session, then commander's arguments of actions. Returns why it failed, or undefined when it is done. */
type Work<Given extends unknown[]> = (session: Session, ...given: Given) => Promise<CliFailure | undefined>

/** Returns a sub-command's action. */
export const running = <Given extends unknown[]>(context: CliContext, work: Work<Given>) =>
  async function (this: Command, ...given: Given): Promise<void> {
    const flags = rootOf(this).opts()
    const read = readSettings(flags, context.env)
    if (isLeft(read)) throw new CommandFailed(wrongSettings(read.left))
    const { config, given: settings } = read.right
    const personal = personalOf(config, context)
    const output = outputTo(context.stdout, context.env, personal.readable)
    const signals = listenToSignals(context)
    const signal = AbortSignal.any([signals.signal, output.closed])
    let system: Promise<System> | undefined
    let home: Promise<Home> | undefined
    const session: Session = {
      config,
      given: settings,
      flags,
      env: context.env,
      get stdin() {
        return context.stdin
      },
      output,
      signal,
      http: context.http,
      system: ({ isMeasured = false } = {}) => {
        if (!system) keepPrivate(config.homeMode)
        system ??= stoppingWith(signal, context.openSystem(config, { isMeasured, given: settings }))
        return system
      },
      home: (workflows) => {
        if (!home) keepPrivate(config.homeMode)
        home ??=
          context.openHome?.(config, settings, workflows) ??
          context.openSystem(config, { isMeasured: false, given: settings })
        return home
      },
      say: (line) => {
        const put = (text: string) => void context.stderr.write(`${text}\n`)
        if (mayHoldPersonal(line)) void personal.readable.lines(visible(line)).then(put)
        else put(visible(line))
      },
      progress: (label, options = {}) => startProgress(label, { ...options, stream: context.stderr }),
    }
    try {
      const failure = await work(session, ...given)
      if (failure) throw new CommandFailed(await personal.readable.value(failure))
    } catch (error) {
      // Errors after the reader left don't matter: `fonds events | head` is done.
      if (output.closed.aborted) return
      if (signals.signal.aborted && error === signals.signal.reason)
        throw new CommandFailed(refused('stopped before it was done', 'run it again: what was done is kept'))
      throw error
    } finally {
      signals.stop()
      for (const opened of [system, home]) await (await opened?.catch(() => undefined))?.close()
      personal.close()
    }
  }

/** Nothing is loaded and opened for a text without a reference. Settings of the log name no folder of the values. */
const personalOf = (config: Config, { openPersonal }: CliContext) => {
  let opened: Promise<PersonalValues> | undefined
  const values: Pick<PersonalValues, 'find'> = {
    find: (references) => async () => {
      opened ??= openPersonal?.(config)
      return opened ? (await opened).find(references)() : right(new Map())
    },
  }
  const shown = () => import('../app/readable-values.ts')
  const readable: Shown = {
    lines: async (text) => (mayHoldPersonal(text) ? (await shown()).readableLines(values, text) : text),
    value: async (value) =>
      openPersonal && mayHoldPersonal(value) ? (await shown()).readableValue(values, value) : value,
  }
  return { readable, close: () => void opened?.then((one) => one.close()) }
}

/** As `running`, with the module of its work loaded when the command runs: no other command waits for that. */
export const runningFrom = <Given extends unknown[]>(
  context: CliContext,
  load: () => Promise<{ readonly run: Work<Given> }>,
) => running<Given>(context, async (session, ...given) => (await load()).run(session, ...given))

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)

const wrongSettings = (sentences: readonly string[]): CliFailure =>
  usage(
    sentences.length === 1
      ? `a setting is wrong: ${sentences[0]}`
      : `${sentences.length} settings are wrong:\n${sentences.map((sentence) => `  - ${sentence}`).join('\n')}`,
    '`fonds settings --help` lists all settings',
  )

/** A supervisor may kill a process that is slow to stop: the messages that it has in hand are not to blame. */
const stoppingWith = async (signal: AbortSignal, opening: Promise<System>): Promise<System> => {
  const system = await opening
  void aborted(signal).then(system.workInProgress.close)
  return system
}

/** The first signal aborts the work; the second one ends the process at once. */
const listenToSignals = ({ stderr }: CliContext) => {
  const stopping = new AbortController()
  const onSignal = () => {
    if (stopping.signal.aborted) process.exit(130)
    if (stderr.isTTY) stderr.write('\nstopping; once more to stop at once\n')
    stopping.abort(new Interrupted('interrupted'))
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    signal: stopping.signal,
    stop: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
