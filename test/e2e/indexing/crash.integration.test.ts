import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import { scanned } from '../../infra/capture-index/lines.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { tellFigures } from '../crash/figures.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { ask, type Started, start, until, useFolder } from '../run-fonds.ts'

/* W34: files arrive, change and are damaged while those that index them are killed. */

const rounds = roundsOr(4)
const perRound = 12

it('W18, W34 killed at any moment: each line is there once, and none of a damaged file', async () => {
  const { seed, chance } = useSeed()
  const { folder, home } = useFolder()
  const warcs = join(folder, 'warcs')
  mkdirSync(warcs)
  const env = {
    FONDS_INDEXING_SOURCES: `main=${warcs}`,
    FONDS_INDEXING_POLL_SECONDS: '1',
    FONDS_INDEXING_GRACE_SECONDS: '1',
    FONDS_INDEXING_RETRY_SECONDS: '1',
    FONDS_INDEXING_ATTEMPTS: '1000',
    FONDS_CLAIM_SECONDS: '2',
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
    FONDS_PORT: '0',
  }
  const work = (): Started => start(['start'], { home, env })
  /** The keys that the lines of each file must have. */
  const expected = new Map<string, readonly string[]>()
  let dates = 0

  const put = (name: string) => {
    const pages = Array.from({ length: 1 + Math.floor(chance() * 30) }, () => Math.floor(chance() * 1e9))
    const bytes = warc(...pages.map((page) => `http://example.org/${page}`))
    // Of one that was good before, nobody knows whether its former lines were read in time.
    const isDamaged = !expected.has(name) && chance() < 0.2
    const path = join(warcs, name)
    writeFileSync(`${path}.tmp`, isDamaged ? bytes.subarray(0, -1 - Math.floor(chance() * 40)) : bytes)
    // Of another date each time, and in the past: it has stood still.
    const date = new Date(Date.now() - 3_600_000 + dates++ * 1000)
    utimesSync(`${path}.tmp`, date, date)
    renameSync(`${path}.tmp`, path)
    expected.set(name, isDamaged ? [] : [...new Set(pages)].map((page) => `org,example)/${page}`).sort())
  }

  const workers = [work(), work()]
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < perRound; i++) put(`${Math.floor(chance() * rounds * perRound * 0.8)}.warc.gz`)
    await new Promise((resolve) => setTimeout(resolve, 1000 + chance() * 4000))
    const victim = workers.shift()!
    victim.child.kill('SIGKILL')
    await victim.exit
    workers.push(work())
  }
  const index = openCaptureIndex(join(home, 'index/runs'))
  onTestFinished(() => index.close())
  /** Key and file of each line. */
  const found = async () =>
    (await scanned(index)).map((line) => `${line.slice(0, line.indexOf(' '))} ${line.split(' ').at(-1)}`)
  const wanted = [...expected].flatMap(([name, keys]) => keys.map((key) => `${key} ${name}`)).sort()
  await until('the index has all lines', async () => (await found()).sort().join() === wanted.join())
  for (const { child, exit } of workers) {
    child.kill('SIGKILL')
    await exit
  }
  expect((await found()).sort()).toEqual(wanted)
  const [{ differences }] = (await ask(['rebuild', 'indexing', '--verify'], { home })) as [
    { differences: object[] },
  ]
  expect(differences).toEqual([])
  tellFigures(seed, { kills: rounds, acknowledged: wanted.length })
})
