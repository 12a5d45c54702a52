import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nodeFlags } from '../node-flags.ts'
import { expectSame, type Line } from '../table.ts'
import type { Measure, Round } from './measured.ts'

/** The lines of all tables that a bench prints, by what they are of. It ends with 0 only if both sides did the same. */
const linesOf = (bench: string, args: readonly string[]) => async (): Promise<ReadonlyMap<string, Line>> => {
  const lines = new Map<string, Line>()
  const options = { execArgv: nodeFlags, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as never[] }
  const child = fork(join(import.meta.dirname, '..', `${bench}.ts`), args, options)
  child.on('message', (table: readonly Line[]) => {
    for (const line of table) lines.set(line.what, line)
  })
  const [status] = await once(child, 'close')
  expectSame(`exit code of bench/${bench}.ts`, status, 0)
  return lines
}

export interface Bench {
  readonly bench: string
  readonly args?: readonly string[]
  /** What a unit of its rates costs, of ours and of theirs. */
  readonly costOf: number
}

/** A line of a bench that stands in this repository, ours beside its peer. Rows that ask for the same bench share its run. */
export const within =
  ({ bench, args = [], costOf }: Bench, what: string): Measure =>
  async (round: Round) => {
    const lines = await round.once(`${bench} ${args.join(' ')}`, linesOf(bench, args))
    const line = lines.get(what)
    if (!line) throw new Error(`bench/${bench}.ts has no line "${what}"`)
    const { ours, theirs, did = '' } = line
    return { ours: { cost: costOf / ours, did }, theirs: { cost: costOf / theirs, did } }
  }
