import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import type { CaptureIndex } from '#src/ports/capture-index.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const line = (key: string, time: string, url: string, file = 'a.warc.gz') =>
  `${key} ${time} ${url} text/html 200 AAAA - - 512 1024 ${file}\n`
const front = (time: string) => line('org,example)/', time, 'http://example.org/')

let index: CaptureIndex
beforeEach(async () => {
  index = openCaptureIndex(join(fonds.home, 'index/runs'))
  const lines = [
    ...['20250301000000', '20260131120000', '20260131180000', '20260202000000'].map(front),
    line('org,example)/b', '20260301000000', 'http://example.org/b'),
    line('org,example,sub)/', '20260302000000', 'http://sub.example.org/'),
  ]
  const run = await index.write(lines)
  await index.change([{ kind: 'publish', file: 'main/a.warc.gz', run, position: 7n }])
})
afterEach(() => index.close())

const captures = (...args: readonly string[]) => fonds.run(['indexing', 'captures', ...args])
const times = async (...args: readonly string[]) =>
  (await captures(...args)).rows.map(({ timestamp }) => timestamp)

describe('fonds indexing captures', () => {
  it('lists those of a URL, of a time, nearest first, and of what is beneath it', async () => {
    expect((await captures('www.example.org')).rows[0]).toEqual({
      ...{ timestamp: '20250301000000', url: 'http://example.org/', key: 'org,example)/', mime: 'text/html' },
      ...{ status: '200', digest: 'AAAA', file: 'a.warc.gz', offset: 1024, length: 512 },
    })
    expect(await times('example.org', '--from', '2026-01-31', '--to', '20260131')).toEqual([
      '20260131120000',
      '20260131180000',
    ])
    expect(await times('example.org', '--closest', '20260131170000', '--limit', '1')).toEqual([
      '20260131180000',
    ])
    expect(await times('example.org', '--from', '2026-01-31', '--offset', '1', '--limit', '1')).toEqual([
      '20260131180000',
    ])
    const counted = async (match: string) => (await times('example.org', '--match', match)).length
    expect([await counted('prefix'), await counted('host'), await counted('domain')]).toEqual([5, 5, 6])
  })

  it('are found by URL and date among everything', async () => {
    const find = async (...words: readonly string[]) => {
      const { rows } = await fonds.run(['find', '--kind', 'indexing-captures', ...words])
      return rows.map(({ id, note, exact }) => `${id} ${note}${exact ? ' !' : ''}`)
    }
    expect(await find('example.org')).toEqual([
      'http://example.org/ 4 captures, 2025-03-01 to 2026-02-02 !',
      'http://example.org/b 1 capture, 2026-03-01 00:00:00',
    ])
    expect(await find('http://example.org/', '2026-01-31')).toEqual([
      'http://example.org/ 2 captures, 2026-01-31 to 2026-01-31 !',
    ])
    expect(await find('https://www.example.org/', '2026')).toEqual([
      'http://example.org/ 3 captures, 2026-01-31 to 2026-02-02 !',
      'http://example.org/b 1 capture, 2026-03-01 00:00:00',
    ])
    const { rows } = await fonds.run(['find', 'example.org 2026-01-31', '--kind', 'indexing-captures'])
    expect(rows[0]).toMatchObject({
      command: 'fonds indexing captures --from 20260131 --to 20260131 http://example.org/',
      page: '/indexing/captures?url=http%3A%2F%2Fexample.org%2F&day=2026-01-31',
    })
    expect((await fonds.run(String(rows[0]?.command).split(' ').slice(1))).rows).toHaveLength(2)
    for (const text of ['letters/1912/03', 'herbal', 'nowhere.example', '2026-01-31'])
      expect((await fonds.run(['find', '--kind', 'indexing-captures', text])).code).toBe(1)
  })

  it('says to people how many there are, and where nothing is, what to ask next', async () => {
    const some = await captures('example.org', '--limit', '2', '--format', 'table')
    expect(some.out).toContain('2026-01-31 12:00:00')
    expect(some.err).toContain('4 captures on 3 days; 2 are shown (--offset, --limit)')
    const none = await captures('nowhere.example', '--format', 'table')
    expect(none.err).toContain(
      'nothing is in the index under example,nowhere)/: `fonds indexing why http://nowhere.example` says more',
    )
    const wrong = await captures('example.org', '--match', 'host', '--closest', '2026')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('closest: the nearest captures are known of one URL alone')
    expect((await captures('example.org', '--from', 'May')).err).toContain('2026-01-31')
  })

  it('C6 lists what was in the index on a day', async () => {
    await index.change([{ kind: 'withdraw', file: 'main/a.warc.gz', position: 9n }])
    expect(await times('example.org')).toEqual([])
    expect(await times('example.org', '--as-of', '8')).toHaveLength(4)
  })

  it('draws a calendar: each day with its count, and a link to what is listed of it', async () => {
    const page = join(fonds.folder, 'page.html')
    expect((await captures('example.org', '--limit', '1', '--html', page)).code).toBe(0)
    const text = readFileSync(page, 'utf8')
    expect(text).toContain('4 captures on 3 days.')
    expect(text).toContain('<td class="has">31<b>2</b></td>')
    expect(text).toContain('<a href="#d20250301" aria-label="1 March 2025: 1 capture">1<b>1</b></a>')
    expect(text).toContain('<th scope="row" id="d20250301">2025-03-01 00:00:00</th>')
    expect(text.match(/<caption>/g)).toHaveLength(24)
  })
})

describe('fonds indexing runs', () => {
  it('lists the runs, with what is in them', async () => {
    expect((await fonds.run(['indexing', 'runs'])).rows).toMatchObject([
      { level: 0, state: 'live', lines: 6, files: 1, badBlocks: 0 },
    ])
  })
})

describe('fonds indexing holdings', () => {
  it('counts by host and year, of a part as well', async () => {
    const by = ['indexing', 'holdings', '--by', 'host,year']
    expect((await fonds.run(by)).rows).toMatchObject([
      { host: 'example.org', year: '2026', captures: 4 },
      { host: 'example.org', year: '2025', captures: 1 },
      { host: 'sub.example.org', year: '2026', captures: 1 },
    ])
    const part = await fonds.run([...by, '--within', 'sub.example.org', '--format', 'table'])
    expect(part.err).toContain('1 capture in the index, 1 row shown')
    expect((await fonds.run(['indexing', 'holdings', '--by', 'mime'])).err).toContain(
      'host, type, year, status',
    )
  })
})
