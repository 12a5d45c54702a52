import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'
import { parts } from '../../src/domain/fixity/item-states.ts'
import { patience } from '../patience.ts'

/* Fonds as people run it: real processes of the command line, each test in a folder of its own. */

const command = join(import.meta.dirname, '../../bin/fonds')

export interface Given {
  /** Another program than this checkout's. */
  readonly program?: string
  readonly home: string
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A line of output. The tests say what is in it. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any view, summaries of any command
export type Line = any

/** Standard output as JSON lines. */
export const linesOf = ({ stdout }: Pick<Ran, 'stdout'>): readonly Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line))

/** Runs to its end. */
export const run = async (args: readonly string[], given: Given): Promise<Ran> => {
  const started = start(args, given)
  const code = await started.exit
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}

/** Runs to its end, which must be code 0, and gives its lines. */
export const asking =
  (run: (args: readonly string[], given: Given) => Promise<Ran>) =>
  async (args: readonly string[], given: Given): Promise<readonly Line[]> => {
    const ran = await run(args, given)
    if (ran.code !== 0) throw new Error(`fonds ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}`)
    return linesOf(ran)
  }

export const ask = asking(run)

export interface Started {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exit: Promise<number | null>
  /** Waits until standard error says this; throws when the process ends before. */
  says(text: string | RegExp): Promise<RegExpMatchArray>
}

/** The process is killed at the end of the test, unless it has ended by then. */
export const start = (
  args: readonly string[],
  { program = command, home, stdin = '', env = {} }: Given,
): Started => launch(program, args, { FONDS_HOME: home, ...env }, stdin)

/** Any program as a child of the test. */
export const launch = (...given: Parameters<typeof launchBeyondTests>): Started => {
  const { end, ...started } = launchBeyondTests(...given)
  onTestFinished(end)
  onTestFailed(() => console.error(lastOf(given[1], started)))
  return started
}

const maxShown = 3000

/** What a process of a failed test wrote last: a rare failure is seen once. */
const lastOf = (args: readonly string[], { child, stdout, stderr }: Omit<Started, 'says'>): string =>
  [
    `process ${child.pid}: ${args.join(' ')}`,
    `exit code ${child.exitCode}, signal ${child.signalCode}`,
    stdout().slice(-maxShown),
    stderr().slice(-maxShown),
  ].join('\n')

/** One that several tests share: whoever launches it ends it. */
export const launchBeyondTests = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin: string | Uint8Array = '',
  user: { readonly uid?: number; readonly gid?: number } = {},
): Started & { readonly end: () => Promise<void> } => {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn(program, args, {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: 'pipe',
    ...user,
  })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk
  })
  // Who is killed while it reads breaks the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const exit = once(child, 'close').then(([code]): number | null => code)
  let ended = false
  void exit.then(() => {
    ended = true
  })
  return {
    end: async () => {
      if (!ended) child.kill('SIGKILL')
      await exit
    },
    child,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    exit,
    says: (wanted) =>
      until(`${args.join(' ')} says ${wanted}`, () => {
        const found = text.stderr.match(wanted)
        if (!found && ended) throw new Error(`fonds ${args.join(' ')} ended before that:\n${text.stderr}`)
        return found ?? undefined
      }),
  }
}

/** A server on a free port, ready to be asked. */
export const startServer = async (given: Given, args: readonly string[] = []) => {
  const server = start(['start', '--port', '0', ...args], given)
  const [, address] = await server.says(/Fonds is at (http\S+)/)
  return { ...server, address: address!.replace(/\/$/, '') }
}

/** Asks to end, and gives the exit code. */
export const stop = ({ child, exit }: Started): Promise<number | null> => {
  child.kill('SIGTERM')
  return exit
}

const maxPauseMillis = 1000

/** What the condition gives, as soon as it gives something. What it throws ends the wait. */
export const until = async <A>(
  what: string,
  condition: () => A | undefined | false | Promise<A | undefined | false>,
  seconds = patience / 1000,
): Promise<A> => {
  const deadline = performance.now() + Math.max(seconds * 1000, patience)
  // Asking takes from what is waited for: rarer with time, and longest after what took long, as a process does.
  for (let pause = 20; ; pause = Math.min(pause * 1.2, 500)) {
    const began = performance.now()
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    const took = performance.now() - began
    await new Promise((resolve) => setTimeout(resolve, Math.max(pause, Math.min(2 * took, maxPauseMillis))))
  }
}

/** A folder that goes with the test. `home` is for Fonds; `root` is an empty folder for content. */
export const useFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const root = join(folder, 'content')
  mkdirSync(root)
  return { folder, home: join(folder, 'home'), root }
}

/** Each is in exactly one of the other numbers of its line. */
export const addsUp = ({ expected, ...line }: Line): boolean =>
  expected === parts.reduce((sum, part) => sum + line[part], 0)
