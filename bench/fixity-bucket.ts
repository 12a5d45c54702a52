import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBucket } from '../infra/s3/bucket.ts'
import { sideBySide } from '../src/async/side-by-side.ts'
import { bitLog } from '../src/domain/fixity/views.ts'
import { rows } from '../src/domain/kernel/read-views.ts'
import { MiB } from './digest-peers.ts'
import { nodeFlags } from './node-flags.ts'
import { endpoint, environment, folder, region, remote, stopServer } from './rclone-server.ts'
import { openHome } from './system.ts'
import { expectSame, interleaved, median, medianRatio, printTable } from './table.ts'

/*
 * The whole command `fonds fixity check` of a bucket beside `rclone hashsum sha256 --download` of the same, and a bare loop of requests and
 * digests (`bare-bucket.ts`), on a versitygw of this machine, round by round: by the clock, and by the processor's time of the process, that of
 * the server left out.
 * `node bench/fixity-bucket.ts [objects of 4 KiB, default 20,000] [objects of 102 MiB, default 30] [rounds, default 3]`
 */

const [small = 20_000, large = 30, rounds = 3] = process.argv.slice(2).map(Number)
const width = 16
const fonds = join(import.meta.dirname, '../bin/fonds')

interface Cost {
  readonly seconds: number
  /** Seconds of processor, user and system. */
  readonly processor: number
}

const output = join(folder, 'output')

/** Runs a command, whose standard output goes into a file. Only the shell tells the processor's time of its children. */
const run = (command: readonly string[], env: Readonly<Record<string, string>>): Cost => {
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" 2>/dev/null', 'bash', ...command]
  const { status, stderr } = spawnSync('bash', timed, {
    encoding: 'utf8',
    env: { ...environment, ...env },
    stdio: ['ignore', openSync(output, 'w'), 'pipe'],
  })
  expectSame(command.join(' '), status, 0)
  const [seconds = 0, user = 0, system = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  return { seconds, processor: user + system }
}

const put = async (prefix: string, count: number, bytes: number): Promise<void> => {
  const bucket = openBucket('objects', { endpoint, region })
  const keys = Array.from({ length: count }, (_, i) => `${prefix}/${String(i).padStart(6, '0')}`)
  await sideBySide(keys, bytes > MiB ? 2 : width, (key) => bucket.put(key, randomBytes(bytes)))
  await bucket.close()
}

/** Each check has recorded of each object the digest that rclone found. */
const expectRecorded = async (
  home: string,
  digests: ReadonlyMap<string, string>,
  checks: number,
): Promise<void> => {
  const system = await openHome(home)
  const same = rows(system.viewStore, bitLog).filter(
    ({ path, result, found }) =>
      result === 'SUCCESS' && found?.split(' ').includes(`sha-256:${digests.get(path)}`),
  )
  await system.close()
  expectSame(
    `rows of the bit log with the digests of rclone, after ${checks} checks`,
    same.length,
    digests.size * checks,
  )
}

const digestsIn = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )

interface Promised {
  readonly rclone: number
  readonly bare?: number
}

const compare = async (what: string, prefix: string, count: number, bytes: number, promised: Promised) => {
  await put(prefix, count, bytes)
  const home = join(folder, `home-${prefix}`)
  const env = { FONDS_HOME: home, FONDS_S3_ENDPOINT: endpoint, AWS_REGION: region }
  run([fonds, 'fixity', 'add', `s3://objects/${prefix}`, '--actor', 'bench'], env)
  let checks = 0
  const ours = async () => {
    const cost = run([fonds, 'fixity', 'check', '--actor', 'bench'], env)
    const { verified, baselined } = JSON.parse(readFileSync(output, 'utf8'))
    expectSame('objects found as they were', verified + baselined, count)
    checks++
    return cost
  }
  let digests: ReadonlyMap<string, string> = new Map()
  const peer = (command: readonly string[], own: Readonly<Record<string, string>>) => async () => {
    const cost = run(command, own)
    const found = digestsIn(readFileSync(output, 'utf8'))
    expectSame('objects that were digested', found.size, count)
    for (const [name, digest] of digests) expectSame(name, found.get(name), digest)
    digests = found
    return cost
  }
  const sum = ['rclone', 'hashsum', 'sha256', '--download']
  const theirs = peer([...sum, '--checkers', `${width}`, `bench:objects/${prefix}`], remote)
  const loop = [process.execPath, ...nodeFlags, join(import.meta.dirname, 'bare-bucket.ts')]
  const bare = peer([...loop, prefix, `${count}`], env)
  // The first check fills caches.
  await ours()
  const [mine = [], rclone = [], bareLoop = []] = await interleaved(rounds, ours, theirs, bare)
  const line = (by: keyof Cost, beside: string, peers: readonly Cost[], promise?: number) => {
    const rates = (costs: readonly Cost[]) => costs.map((cost) => count / cost[by])
    const [our, their] = [rates(mine), rates(peers)]
    return {
      what: `${what}, by the ${by === 'seconds' ? 'clock' : 'processor'}`,
      ours: median(our),
      beside,
      theirs: median(their),
      unit: by === 'seconds' ? 'objects/s' : 'objects/CPU-s',
      ratio: medianRatio(our, their),
      ...(promise !== undefined && { promise }),
    }
  }
  await expectRecorded(home, digests, checks)
  return [
    line('seconds', 'rclone hashsum', rclone, promised.rclone),
    line('processor', 'rclone hashsum', rclone),
    line('seconds', 'bare loop', bareLoop, promised.bare),
    line('processor', 'bare loop', bareLoop),
  ]
}

try {
  printTable('fixity check of a bucket', [
    ...(await compare(`${small} objects of 4 KiB`, 'small', small, 4096, { rclone: 0.6, bare: 0.8 })),
    ...(await compare(`${large} objects of 102 MiB`, 'large', large, 102 * MiB, { rclone: 1 })),
  ])
} finally {
  await stopServer()
}
process.exit(0)
