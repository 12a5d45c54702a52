import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Checkout } from './checkouts.ts'
import { fonds } from './commands.ts'
import { countsIn, rowsIn } from './counts.ts'
import { onEmptyHome } from './homes.ts'
import { besideBase } from './measured.ts'

const messages = 60_000
const checksum = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}
const lineOf = (n: number): string => {
  const path = `folder-${Math.floor(n / 200)}/file-${n}.tif`
  const data = { store: 'bench', path, size: 12345, checksums: [checksum] }
  return `${JSON.stringify({ type: 'content.recorded', data })}\n`
}

/** For so long nothing may change before memory is looked at: what is under way ends, and what was garbage is collected or counts. */
const quietMillis = 10_000

/** Resident megabytes of `fonds start` with all roles, once it is ready and has nothing left to do on the home. */
const residentOf = async (
  { root }: Checkout,
  home: string,
  isDone: () => boolean,
  ...args: readonly string[]
): Promise<number> => {
  const env = { ...process.env, FONDS_HOME: home }
  const child = spawn(join(root, 'bin/fonds'), ['start', '--port', '0', ...args], { env, stdio: 'ignore' })
  try {
    do {
      await setTimeout(quietMillis)
      if (child.exitCode !== null) throw new Error(`fonds start ended with ${child.exitCode}`)
    } while (!isDone())
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024) / 1e6
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** All roles on the home of a demo, with nothing to do. */
export const memoryWhenIdle = besideBase((checkout, round) =>
  onEmptyHome(round, async (home) => {
    await fonds(checkout, home, 'demo')
    const demo = join(home, 'demo')
    return { cost: await residentOf(checkout, demo, () => true), did: countsIn(demo) }
  }),
)

/** The roles of bench/pipeline.ts: workers would look for the files that the messages name. */
const working = 'processors,reactions,projections'

/** Their process after so many messages were handled and folded. */
export const memoryAfterMessages = besideBase((checkout, round) =>
  onEmptyHome(round, async (home) => {
    const file = join(home, 'messages.ndjson')
    writeFileSync(file, Array.from({ length: messages }, (_, n) => lineOf(n)).join(''))
    await fonds(checkout, home, 'produce', 'fonds.fixity.content', file)
    const isFolded = () => rowsIn(home, 'fixity-items') === messages
    return { cost: await residentOf(checkout, home, isFolded, '--roles', working), did: countsIn(home) }
  }),
)
