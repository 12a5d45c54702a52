import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { surt } from '@fonds/cdx'
import { random } from '../test/e2e/crash/expectations.ts'
import { firstFound, givenIn, installed } from '../test/integration/discovery.ts'
import { expectSame, type Line, medians, printTable } from './table.ts'

/*
 * Keys of ordinary URLs on one core, beside PyPI's surt in one process of Python, where .ci/judges installed it.
 * `node bench/surt.ts [URLs, default 300000]`
 */

const count = Number(process.argv[2] ?? 300_000)
if (!(count >= 1000)) throw new Error('usage: node bench/surt.ts [URLs, from 1000]')

/** Most as they come from pages: one in eight has an escape, one in four a query. */
const ordinaryUrls = (): readonly string[] => {
  const chance = random(1)
  const below = (most: number) => Math.floor(chance() * most)
  const kinds: readonly ((n: number) => string)[] = [
    () => '/',
    (n) => `/nyheder/indland/article-${n}`,
    (n) => `/Images/2019/photo_${n}.JPG`,
    (n) => `/assets/css/style.${n}.css`,
    (n) => `/index.php?id=${n}&cat=7&sort=asc`,
    (n) => `/om-os/index.html?lang=da&side=${n}`,
    (n) => `/s%C3%B8g/med%20blank/${n}/`,
    (n) => `/wp-content/uploads/2020/${n}/a-b-c.min.js`,
  ]
  return Array.from({ length: count }, (_, n) => {
    const host = `${['www.', 'www.', '', 'images.'][below(4)]}site-${below(5000)}.${['dk', 'com', 'co.uk'][below(3)]}`
    return `${chance() < 0.5 ? 'http' : 'https'}://${host}${kinds[below(kinds.length)]!(n)}`
  })
}

const fingerprint = (keys: readonly string[]): string =>
  createHash('sha256').update(keys.join('\n')).digest('hex')

/** Reads URLs, a line each; says the seconds that the keys took, then the keys' SHA-256. */
const peerProgram = `
import hashlib, sys, time
from surt import surt
urls = sys.stdin.read().split("\\n")
surt(urls[0])
start = time.process_time()
keys = [surt(url) for url in urls]
seconds = time.process_time() - start
print(seconds, hashlib.sha256("\\n".join(keys).encode()).hexdigest())
`

const urls = ordinaryUrls()
const expected = fingerprint(urls.map(surt))

/** Seconds are those of the processor: others may be at work beside. */
const ours = async () => {
  const before = process.cpuUsage()
  const keys = urls.map(surt)
  const { user, system } = process.cpuUsage(before)
  expectSame('the keys', fingerprint(keys), expected)
  return (count / (user + system)) * 1e6
}

const theirs = (python: string) => async () => {
  const said = spawnSync(python, ['-c', peerProgram], { input: urls.join('\n'), encoding: 'utf8' })
  const [seconds, keys] = said.stdout.trim().split(' ')
  expectSame(`the keys of surt (${said.stderr})`, keys, expected)
  return count / Number(seconds)
}

const peer = await firstFound([
  givenIn(process.env, 'FONDS_SURT', '/usr/bin/python3'),
  installed('python-with-surt', '.ci/judges'),
])
const promised = (rate: number): Line => ({
  what: `keys of ${count} ordinary URLs`,
  ours: rate,
  beside: 'what is promised of a core',
  theirs: 300_000,
  unit: 'URLs/s',
  promise: 1,
})
if ('absent' in peer) {
  const [rate = 0] = await medians(5, ours)
  printTable('keys', [promised(rate)])
  console.log(`not beside surt: ${peer.absent}`)
} else {
  const [rate = 0, others = 0] = await medians(3, ours, theirs(peer.address))
  const beside = { ...promised(rate), beside: "PyPI's surt 0.3.1", theirs: others, promise: 5 }
  printTable('keys', [promised(rate), beside])
}
