import { existsSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { warc } from '../../workers/indexing/archive.ts'
import { ask, type Line, start, startServer, stop, until, useFolder } from '../run-fonds.ts'

/* W8, W19: a disk that damages what is written to the folder of the index. */

it('W19 a file whose run is damaged each time is read three times, and waits for a person', async () => {
  const { home, root: crawl } = useFolder()
  const index = join(home, 'index')
  const env = {
    FONDS_INDEXING_SOURCES: `main=${crawl}`,
    FONDS_INDEXING_POLL_SECONDS: '1',
    FONDS_INDEXING_GRACE_SECONDS: '1',
    FONDS_INDEXING_RETRY_SECONDS: '3',
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
  }
  const path = join(crawl, 'a.warc')
  const anHourAgo = new Date(Date.now() - 3_600_000)
  writeFileSync(path, warc('http://example.org/'))
  utimesSync(path, anHourAgo, anHourAgo)
  const server = await startServer({ home, env }, ['--roles', 'processors,reactions,projections,api'])
  const indexer = start(['worker', 'indexer'], { home, env })
  const poller = start(['worker', 'poller'], { home, env })
  const aggregate = () =>
    start(['worker', 'aggregator'], { home, env: { ...env, FONDS_INDEXING_FOLDER: index } })
  const get = async (path: string): Promise<Line> => (await fetch(`${server.address}${path}`)).json()
  const why = () => get('/api/v1/indexing/why?of=a.warc')
  const outcomes = async () =>
    (await ask(['events', '--stream', 'indexing-main/a.warc'], { home }))
      .map(({ type }) => type)
      .filter((type) => /^(FileIndexed|IndexingFailed|FileParked)$/.test(type))
  const names = (folder: string) => (existsSync(join(index, folder)) ? readdirSync(join(index, folder)) : [])
  const waiting = () => names('incoming').filter((name) => name.endsWith('.changes'))
  const runs = () =>
    names('runs')
      .filter((name) => name.endsWith('.cdx'))
      .map((name) => join(index, 'runs', name))

  for (const times of [1, 2, 3]) {
    await until('its lines are handed over', () => waiting().length > 0)
    for (const run of runs()) truncateSync(run, statSync(run).size - 1)
    const aggregator = aggregate()
    await until('they were looked at', () => waiting().length === 0)
    aggregator.child.kill('SIGKILL')
    await aggregator.exit
    await until('they are known to be lost', async () => (await outcomes()).length >= 2 * times)
  }
  const round = ['FileIndexed', 'IndexingFailed']
  expect(await outcomes()).toEqual([...round, ...round, ...round, 'FileParked'])
  const { reasons, ...answer } = await why()
  expect(answer).toMatchObject({ state: 'parked', findable: false, lines: null })
  expect(reasons[0]).toMatch(/^3 attempts failed, the last one as lost: .* 3 times in a row/)
  expect(reasons[1]).toMatch(/`fonds indexing rescue main a.warc`/)

  const aggregator = aggregate()
  await ask(['indexing', 'rescue', 'main', 'a.warc', '--actor', 'ada', '--reason', 'another disk'], { home })
  await until(
    'it is found',
    async () => (await (await fetch(`${server.address}/cdx?url=http://example.org/`)).text()) !== '',
  )
  for (const one of [aggregator, indexer, poller]) expect(await stop(one)).toBe(0)
  await stop(server)
})
