import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expectSame } from '../table.ts'
import type { Checkout } from './checkouts.ts'

export interface Ended {
  /** By the clock. */
  readonly seconds: number
  /** Of the processor, of the command and all that it started and waited for. */
  readonly processor: number
  readonly output: string
}

/** Runs a command to its end, which must be 0. Only the shell says of its children what they took of the processor. */
export const run = async (
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  const timed = ['-c', 'exec 3>&2; TIMEFORMAT="%R %U %S"; time "$@" 2>&3', 'bash', ...command]
  const child = spawn('bash', timed, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray())
  const [status] = await once(child, 'close')
  const told = (await errors!).join('')
  expectSame(`exit code of ${command.join(' ')}: ${told}`, status, 0)
  const [seconds, user, system] = told.trim().split('\n').at(-1)!.split(' ').map(Number)
  return { seconds: seconds!, processor: user! + system!, output: (await output!).join('') }
}

/** A command of Fonds, as it stands in a checkout, on a home. */
export const fonds = ({ root }: Checkout, home: string, ...args: readonly string[]): Promise<Ended> =>
  run([join(root, 'bin/fonds'), ...args], { FONDS_HOME: home })
