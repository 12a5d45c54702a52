import { type ChildProcess, spawn } from 'node:child_process'
import { errorMessage } from '../../../async/errors.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import { keepGoing } from '../steps/keep-going.ts'
import { createAnswer, pathMark, type Tool, ToolFailure } from './tool.ts'
import { wordsOf } from './words.ts'

/* A command that is run once per file: no shell parses its words. */

/** The path is the last argument, or replaces its placeholder in the words. The answer is the standard output. */
export const commandTool = (line: string, limitMillis: number): Tool => {
  const [program = '', ...options] = wordsOf(line) ?? []
  const argumentsFor = (path: string): readonly string[] =>
    options.some((word) => word.includes(pathMark))
      ? options.map((word) => word.replaceAll(pathMark, () => path))
      : [...options, path]
  return { name: line, ask: (path, context) => run(program, argumentsFor(path), limitMillis, context) }
}

/** Leaves out our own settings: they hold passwords. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FONDS_')))

const run = (
  program: string,
  words: readonly string[],
  limitMillis: number,
  context: TaskContext,
): Promise<string> => {
  const { signal } = context
  signal.throwIfAborted()
  // A process group of its own: its child processes are killed with it.
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: environment(),
  })
  let failure: unknown
  const stop = (why: unknown) => {
    failure ??= why
    kill(child)
  }
  const lost = () => stop(signal.reason)
  signal.addEventListener('abort', lost, { once: true })
  const late = new ToolFailure(`gave no answer in ${limitMillis / 1000} s and was stopped`)
  const timer = setTimeout(stop, limitMillis, late)
  return keepGoing(context, () => answerOf(child, stop, () => failure)).finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', lost)
  })
}

const answerOf = (
  child: ChildProcess,
  stop: (why: unknown) => void,
  failureOf: () => unknown,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const answer = createAnswer()
    let complaint = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        answer.add(chunk)
      } catch (error) {
        stop(error)
      }
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (complaint.length < maxComplaint) complaint += chunk.toString('utf8')
    })
    child.on('error', (error) => reject(new ToolFailure(whyNotRun(error), { cause: error })))
    child.on('close', (code, killedBy) => {
      const failure = failureOf() ?? (code === 0 ? undefined : ended(code, killedBy, complaint))
      if (failure === undefined) resolve(answer.text())
      else reject(failure)
    })
  })

const maxComplaint = 500

const ended = (code: number | null, killedBy: string | null, complaint: string): ToolFailure => {
  const how = killedBy === null ? `ended with ${code}` : `was ended by ${killedBy}`
  const output = clip(complaint.trim().replace(/\s+/g, ' '), maxComplaint)
  return new ToolFailure(output === '' ? how : `${how}: ${output}`)
}

const whyNotRun = (error: Error): string => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'is not there; install it, or name its path in FONDS_INGEST_CHARACTERISE'
  if (code === 'EACCES') return 'may not be run by this user'
  return `cannot be run: ${errorMessage(error)}`
}

const kill = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
