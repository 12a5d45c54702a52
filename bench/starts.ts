import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectSame, printTable } from './table.ts'

/*
 * What a start costs: commands of `fonds`, each a process of its own, beside a bare Node that runs nothing. Starts that a
 * second of processor (user and system) is enough for, the compile cache warm; the best of the rounds, both taking turns.
 * `node bench/starts.ts [rounds, default 9]`
 */

const rounds = Number(process.argv[2] ?? 9)
const fonds = join(import.meta.dirname, '../bin/fonds')
const home = mkdtempSync(join(tmpdir(), 'fonds-starts-'))

const bare = [process.execPath, '-e', '0']
const commands = [
  ['--version'],
  ['--help'],
  ['query', 'fixity-items'],
  ['events'],
  ['produce', 'fonds.fixity.content'],
  ['fixity', 'report'],
  ['do'],
]

/** Seconds of processor that a process takes. Only the shell says it of its children. */
const cost = (command: readonly string[]): number => {
  const timed = ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null </dev/null', 'bash', ...command]
  const { status, stderr } = spawnSync('bash', timed, {
    encoding: 'utf8',
    env: { ...process.env, FONDS_HOME: home },
  })
  expectSame(command.join(' '), status, 0)
  return (stderr.trim().split('\n').at(-1) ?? '').split(' ').reduce((sum, part) => sum + Number(part), 0)
}

const lines = commands.map((argv) => {
  const command = [fonds, ...argv]
  // The first start makes the home and fills the cache.
  cost(command)
  const pairs = Array.from({ length: rounds }, () => [cost(command), cost(bare)] as const)
  return {
    what: argv.join(' '),
    ours: 1 / Math.min(...pairs.map(([ours]) => ours)),
    beside: 'bare Node',
    theirs: 1 / Math.min(...pairs.map(([, theirs]) => theirs)),
    unit: 'starts',
    did: `${rounds} starts`,
  }
})
rmSync(home, { recursive: true, force: true, maxRetries: 10 })
printTable('in a second of processor', lines)
