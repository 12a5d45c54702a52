import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { readConfig } from '../app/config/config.ts'
import { keepPrivate } from '../app/config/file-modes.ts'
import type { Config } from '../app/config/settings.ts'
import type { Http } from '../app/http-server.ts'
import type { System } from '../app/system.ts'
import type { AloneContext, Workflow } from '../workflows/workflow.ts'
import { CommandFailed } from './failures.ts'
import { type CliFailure, refused, usage } from './output/exit-codes.ts'
import { type Output, outputTo } from './output/output.ts'
import { type Progress, type ProgressOptions, startProgress } from './output/progress.ts'
import { visible } from './output/text.ts'

type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The environment of a command line: created by main.ts, or by a test. */
export interface CliContext {
  openSystem(config: Config): Promise<System>
  /** For workers that need no home; absent: they open one. */
  openAlone?(config: Config): Alone
  /** Their questions and commands are sub-commands; absent: all workflows. */
  readonly workflows?: readonly Workflow[]
  /** Loaded when it is asked for: most commands need no HTTP server. */
  http(): Promise<Http>
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Terminal
  readonly stderr: Terminal
}

/** What there is without a home. */
export type Alone = Omit<AloneContext, 'config'> & { close(): Promise<void> }

/** Adds a sub-command. */
export type Register = (program: Command, context: CliContext) => void

/** What a sub-command works with. */
export interface Session {
  readonly config: Config
  /** Settings given as flags. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: NodeJS.ProcessEnv
  readonly stdin: CliContext['stdin']
  readonly output: Output
  /** Aborts on Ctrl-C, on SIGTERM, and when nobody reads the output any more. */
  readonly signal: AbortSignal
  /** Opened when first asked for, closed when the command is done. Rejects when its files cannot be used. */
  system(): Promise<System>
  readonly http: CliContext['http']
  /** A line for a person, on standard error. */
  say(line: string): void
  progress(label: string, options?: Pick<ProgressOptions, 'total' | 'unit'>): Progress
}

/** Why the work ended early. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * A sub-command's action: `work` gets the session, then what commander passes to actions. It returns why it failed, or
 * undefined when it is done.
 */
export const running = <Given extends unknown[]>(
  context: CliContext,
  work: (session: Session, ...given: Given) => Promise<CliFailure | undefined>,
) =>
  async function (this: Command, ...given: Given): Promise<void> {
    const flags = rootOf(this).opts()
    const config = readConfig(flags, context.env)
    if (isLeft(config)) throw new CommandFailed(wrongSettings(config.left))
    const output = outputTo(context.stdout, context.env)
    const signals = listenToSignals(context)
    const signal = AbortSignal.any([signals.signal, output.closed])
    let system: Promise<System> | undefined
    const session: Session = {
      config: config.right,
      flags,
      env: context.env,
      stdin: context.stdin,
      output,
      signal,
      http: context.http,
      system: () => {
        if (!system) keepPrivate(config.right.homeMode)
        system ??= context.openSystem(config.right)
        return system
      },
      say: (line) => void context.stderr.write(`${visible(line)}\n`),
      progress: (label, options = {}) => startProgress(label, { ...options, stream: context.stderr }),
    }
    try {
      const failure = await work(session, ...given)
      if (failure) throw new CommandFailed(failure)
    } catch (error) {
      // Errors after the reader left don't matter: `fonds events | head` is done.
      if (output.closed.aborted) return
      if (signals.signal.aborted && error === signals.signal.reason)
        throw new CommandFailed(refused('stopped before it was done', 'run it again: what was done is kept'))
      throw error
    } finally {
      signals.stop()
      const opened = await system?.catch(() => undefined)
      await opened?.close()
    }
  }

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)

const wrongSettings = (sentences: readonly string[]): CliFailure =>
  usage(
    sentences.length === 1
      ? `a setting is wrong: ${sentences[0]}`
      : `${sentences.length} settings are wrong:\n${sentences.map((sentence) => `  - ${sentence}`).join('\n')}`,
    '`fonds --help` lists all settings',
  )

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
