import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import { scanned } from '../../infra/capture-index/lines.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { ask, run, type Started, start, until, useFolder } from '../run-fonds.ts'

/* The seed's acceptance test: an archive that is harvested for a long time, with all that goes wrong meanwhile. `npm run soak` runs it for hours. */

const rounds = roundsOr(5)
const perRound = 10

it('W34 files arrive, vanish, are damaged, grow and are withdrawn, workers are killed: the lines are those expected, in order', async () => {
  const { chance } = useSeed()
  const { folder, home, root: crawl } = useFolder()
  const beside = join(folder, 'beside')
  mkdirSync(beside)
  const env = {
    FONDS_INDEXING_SOURCES: `main=${crawl}`,
    FONDS_INDEXING_POLL_SECONDS: '1',
    FONDS_INDEXING_GRACE_SECONDS: '1',
    FONDS_INDEXING_RETRY_SECONDS: '1',
    FONDS_INDEXING_ATTEMPTS: '1000000',
    FONDS_INDEXING_AGGREGATE_SECONDS: '2',
    FONDS_CLAIM_SECONDS: '2',
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
    FONDS_PORT: '0',
  }
  const work = (): Started => start(['start'], { home, env })
  const workers = [work(), work()]
  const pick = <A>(some: readonly A[]): A => some[Math.floor(chance() * some.length)]!
  const makePages = () =>
    Array.from(
      { length: 1 + Math.floor(chance() * 25) },
      () => `http://example.org/${Math.floor(chance() * 1e9)}`,
    )

  /** What lies there in the end, and whether it is to be found. */
  const all = new Map<string, { pages: readonly string[]; is: 'good' | 'damaged' | 'withdrawn' | 'away' }>()
  const having = (...states: readonly string[]) =>
    [...all].filter(([, { is }]) => states.includes(is)).map(([name]) => name)
  let dates = 0
  const settle = (path: string) => {
    const date = new Date(Date.now() - 3_600_000 + dates++ * 1000)
    utimesSync(path, date, date)
  }
  const put = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(beside, name), bytes)
    settle(join(beside, name))
    renameSync(join(beside, name), join(crawl, name))
  }
  let names = 0
  const arrive = () => {
    const [name, pages] = [`${names++}.warc.gz`, makePages()]
    put(name, warc(...pages))
    all.set(name, { pages, is: 'good' })
  }
  const actions: Readonly<Record<string, () => unknown>> = {
    arrive,
    arriveDamaged: () => {
      const name = `${names++}.warc.gz`
      put(name, warc(...makePages()).subarray(0, -1 - Math.floor(chance() * 60)))
      all.set(name, { pages: [], is: 'damaged' })
    },
    mend: () => {
      const name = pick(having('damaged'))
      if (!name) return
      const pages = makePages()
      put(name, warc(...pages))
      all.set(name, { pages, is: 'good' })
    },
    /** In two pieces, the first of which may look finished. */
    grow: async () => {
      const [name, pages] = [`${names++}.warc.gz`, makePages()]
      const bytes = warc(...pages)
      const path = join(crawl, name)
      const half = Math.floor(chance() * bytes.length)
      writeFileSync(path, bytes.subarray(0, half))
      await new Promise((resolve) => setTimeout(resolve, chance() * 2000))
      appendFileSync(path, bytes.subarray(half))
      settle(path)
      all.set(name, { pages, is: 'good' })
    },
    replace: () => {
      const name = pick(having('good'))
      if (!name) return
      const pages = makePages()
      put(name, warc(...pages))
      all.set(name, { pages, is: 'good' })
    },
    vanish: () => {
      const name = pick(having('good'))
      if (!name) return
      renameSync(join(crawl, name), join(beside, name))
      all.set(name, { ...all.get(name)!, is: 'away' })
    },
    comeBack: () => {
      const name = pick(having('away'))
      if (!name) return
      renameSync(join(beside, name), join(crawl, name))
      all.set(name, { ...all.get(name)!, is: 'good' })
    },
    withdraw: async () => {
      const name = pick(having('good'))
      if (!name) return
      const by = ['--actor', 'ada', '--reason', 'taken down']
      const ran = await run(['do', 'indexing.withdraw', 'repository=main', `name=${name}`, ...by], {
        home,
        env,
      })
      // Of a file that nobody has sighted yet nothing is known: it stays.
      if (ran.code === 0) all.set(name, { pages: [], is: 'withdrawn' })
    },
  }

  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < perRound; i++) await pick([arrive, arrive, ...Object.values(actions)])()
    await new Promise((resolve) => setTimeout(resolve, chance() * 4000))
    const victim = workers.shift()!
    victim.child.kill('SIGKILL')
    await victim.exit
    workers.push(work())
  }
  while (having('away').length > 0) actions.comeBack!()

  const wanted = [...all].flatMap(([name, { pages, is }]) =>
    is === 'good'
      ? [...new Set(pages)].map((page) => `org,example)/${page.slice('http://example.org/'.length)} ${name}`)
      : [],
  )
  const index = openCaptureIndex(join(home, 'index/runs'))
  onTestFinished(() => index.close())
  const keysOf = (lines: readonly string[]) =>
    lines.map((line) => `${line.slice(0, line.indexOf(' '))} ${line.split(' ').at(-1)}`)
  await until(
    'the index has the lines that are expected',
    async () =>
      keysOf(await scanned(index))
        .sort()
        .join() === [...wanted].sort().join(),
  )
  const lines = await scanned(index)
  expect(lines).toEqual(lines.toSorted((a, b) => (a < b ? -1 : 1)))
  for (const { child, exit } of workers) {
    child.kill('SIGTERM')
    await exit
  }
  expect(keysOf(await scanned(index)).sort()).toEqual(wanted.sort())
  const [{ differences }] = (await ask(['rebuild', 'indexing', '--verify'], { home })) as [
    { differences: object[] },
  ]
  expect(differences).toEqual([])
  console.log(
    `${all.size} files, ${wanted.length} lines; ${having('damaged').length} damaged, ${having('withdrawn').length} withdrawn`,
  )
})
