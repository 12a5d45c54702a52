import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { warc } from '../../workers/indexing/archive.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()
const anHourAgo = new Date(Date.now() - 3_600_000)
const put = (name: string, bytes: string | Uint8Array) => {
  const path = join(fonds.folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  utimesSync(path, anHourAgo, anHourAgo)
}
beforeEach(() => {
  put('crawl/good.warc.gz', warc('http://example.org/', 'http://example.org/b'))
  put('crawl/cut.warc.gz', warc('http://example.org/').subarray(0, -9))
  put('crawl/crawl.log', 'a log')
})
const crawl = () => join(fonds.folder, 'crawl')

describe('fonds indexing', () => {
  it('W35, W16 indexes what is whole, and tells of what is not', async () => {
    const added = await fonds.run(['indexing', 'add', crawl()])
    expect(added.rows).toEqual([{ listed: 3, news: 3, skipped: 0 }])
    const ran = await fonds.run(['indexing', 'run'])
    expect(ran).toMatchObject({ code: 1, rows: [{ failed: 1, indexed: 1, unknown: 1 }] })
    expect(ran.err).toContain('fonds indexing failed')
    const captures = () => fonds.run(['indexing', 'captures', 'example.org', '--match', 'domain'])
    expect((await captures()).rows).toHaveLength(2)
    const failed = await fonds.run(['indexing', 'failed'])
    expect(failed.rows).toMatchObject([{ name: 'cut.warc.gz', code: 'truncated', failures: 1 }])
    const why = await fonds.run(['indexing', 'why', 'good.warc.gz'], { terminal: 120 })
    expect(why.out).toMatch(
      /main\/good.warc.gz is indexed, and can be found, since .*\n {2}2 lines of it are in the index/,
    )
    const other = await fonds.run(['indexing', 'why', 'crawl.log'])
    expect(other.rows).toMatchObject([{ state: 'unknown', findable: false }])
    expect((await fonds.run(['indexing', 'why', 'no.warc'])).code).toBe(1)
    expect((await fonds.run(['rebuild', 'indexing', '--verify'])).rows).toMatchObject([{ differences: [] }])
  })

  it('W6, W20 lists again without news; a person parks, rescues, resets and withdraws', async () => {
    await fonds.run(['indexing', 'add', crawl()])
    await fonds.run(['indexing', 'run'])
    expect((await fonds.run(['indexing', 'add', crawl()])).rows).toEqual([{ listed: 3, news: 0, skipped: 0 }])
    const by = ['--actor', 'ada', '--reason', 'to see']
    const good = ['repository=main', 'name=good.warc.gz']
    const state = async () => (await fonds.run(['indexing', 'files', '--state', 'indexed'])).rows.length
    expect((await fonds.run(['do', 'indexing.rescue', ...good, ...by])).err).toContain('not parked')
    expect((await fonds.run(['do', 'indexing.park', ...good, ...by])).code).toBe(0)
    expect((await fonds.run(['indexing', 'rescue', 'main', 'good.warc.gz', ...by])).code).toBe(0)
    expect((await fonds.run(['indexing', 'run'])).code).toBe(0)
    expect(await state()).toBe(1)
    expect((await fonds.run(['do', 'indexing.withdraw', ...good, ...by])).code).toBe(0)
    await fonds.run(['indexing', 'run'])
    expect((await fonds.run(['indexing', 'captures', 'http://example.org/'])).rows).toEqual([])
    expect((await fonds.run(['do', 'indexing.reset', ...good, ...by])).code).toBe(0)
    await fonds.run(['indexing', 'run'])
    expect(await state()).toBe(1)
  })

  it('W5 what was away is indexed when a list shows it again', async () => {
    await fonds.run(['indexing', 'add', crawl()])
    rmSync(join(crawl(), 'good.warc.gz'))
    expect((await fonds.run(['indexing', 'run'])).code).toBe(1)
    expect((await fonds.run(['indexing', 'failed'])).rows).toContainEqual(
      expect.objectContaining({ name: 'good.warc.gz', code: 'not-found' }),
    )
    put('crawl/good.warc.gz', warc('http://example.org/', 'http://example.org/b'))
    await fonds.run(['indexing', 'add', crawl()])
    await fonds.run(['indexing', 'run'])
    expect((await fonds.run(['indexing', 'why', 'good.warc.gz'])).rows).toMatchObject([
      { state: 'indexed', lines: 2 },
    ])
  })

  it('W4 a file that a harvester left open ends when it is renamed', async () => {
    const longAgo = new Date(Date.now() - 48 * 3_600_000)
    put('crawl/left.warc.gz.open', warc('http://example.org/c'))
    utimesSync(join(crawl(), 'left.warc.gz.open'), longAgo, longAgo)
    const stateOf = async () => (await fonds.run(['indexing', 'why', 'left.warc.gz.open'])).rows
    expect((await fonds.run(['indexing', 'add', crawl()])).rows).toEqual([{ listed: 4, news: 4, skipped: 0 }])
    expect(await stateOf()).toMatchObject([{ state: 'unknown' }])
    renameSync(join(crawl(), 'left.warc.gz.open'), join(crawl(), 'left.warc.gz'))
    expect((await fonds.run(['indexing', 'add', crawl()])).rows).toEqual([{ listed: 4, news: 1, skipped: 0 }])
    expect(await stateOf()).toMatchObject([{ state: 'withdrawn' }])
    const { rows } = await fonds.run(['events', '--stream', 'indexing-main/left.warc.gz.open'])
    expect(rows.map(({ type, data }) => [type, (data as { reason?: string }).reason])).toEqual([
      ['FileDiscovered', undefined],
      ['FileWithdrawn', 'it was renamed to left.warc.gz'],
    ])
    await fonds.run(['indexing', 'run'])
    expect((await fonds.run(['indexing', 'captures', 'http://example.org/c'])).rows).toHaveLength(1)
    expect((await fonds.run(['indexing', 'add', crawl()])).rows).toEqual([{ listed: 4, news: 0, skipped: 0 }])
  })

  it('takes a list of what was indexed before, and reads none of it', async () => {
    const list = fonds.file('before.txt', 'a.warc\nb.warc.gz\nc d.warc\nold/e.warc\n')
    const added = await fonds.run(['indexing', 'add', list, '--indexed', '--repository', 'old'])
    expect(added.rows).toEqual([{ listed: 3, news: 3, skipped: 1 }])
    expect(added.err).toContain('old/e.warc is left out')
    expect((await fonds.run(['indexing', 'run'])).rows).toEqual([{ indexed: 3 }])
    const named = await fonds.run(['indexing', 'why', 'c d.warc', '--repository', 'old'])
    expect(named.rows).toMatchObject([{ name: 'c d.warc', state: 'indexed', findable: true }])
  })

  it.each([
    [['add', '/no/such/folder'], 1, 'is not there'],
    [['add', '.', '--repository', 'a b'], 2, '--repository'],
    [['add', 'http://127.0.0.1:1/list'], 1, 'cannot be read'],
  ])('%o is refused', async (argv, code, says) => {
    const ran = await fonds.run(['indexing', ...argv])
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(says)
  })
})
