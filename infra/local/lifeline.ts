import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A server that never outlives this process. */
export interface LifelineServer {
  /** Aborted when it has ended. */
  readonly exited: AbortSignal
  /** The last lines that it wrote. */
  readonly lines: readonly string[]
  /** Lets it finish, as an operator would. */
  stop(): Promise<void>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
}

const linesKept = 40

/** A process group of its own, so that Ctrl-C reaches only us and the server is stopped in order. */
export const startOnLifeline = (
  command: readonly string[],
  {
    log = () => undefined,
    env = {},
  }: { readonly log?: (line: string) => void; readonly env?: NodeJS.ProcessEnv } = {},
): LifelineServer => {
  const running = spawn(join(import.meta.dirname, 'lifeline.sh'), [...command], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const exited = new AbortController()
  running.once('exit', () => exited.abort())
  const ended = async (end: () => void) => {
    if (running.exitCode !== null || running.signalCode !== null) return
    // Its output closes with the server itself, which may be a moment behind the shell that watches over it.
    const exit = once(running, 'close')
    end()
    await exit
  }
  return {
    exited: exited.signal,
    lines: lastLines(running, log),
    stop: () => ended(() => running.stdin?.end()),
    kill: () => ended(() => process.kill(-running.pid!, 'SIGKILL')),
  }
}

const lastLines = (server: ChildProcess, log: (line: string) => void): readonly string[] => {
  const lines: string[] = []
  for (const input of [server.stdout, server.stderr])
    if (input)
      createInterface({ input }).on('line', (line) => {
        log(line)
        if (lines.push(line) > linesKept) lines.shift()
      })
  return lines
}
