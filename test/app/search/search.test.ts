import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findersOf, search, whyNotText } from '#src/app/search/search.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { addressOf, match } from '../../../dashboard/src/address/address.ts'
import { openTestSystem } from '../../fakes/system.ts'
import { archive, plant } from './planted.ts'

/** Where pages are: the page's own list cannot be imported here, its parts are JSX. */
const patterns = [
  ...readFileSync(new URL('../../../dashboard/src/pages/pages.ts', import.meta.url), 'utf8').matchAll(
    /pattern: '([^']+)'/g,
  ),
].map(([, pattern]) => String(pattern))

let system: System
let position: bigint

beforeAll(async () => {
  system = await openTestSystem()
  plant(system.viewStore, projectionsOf(system.workflows), archive)
  const event = { id: '0198c0de-0000-7000-8000-000000000001', type: 'Noted', data: {} }
  const metadata = { actor: 'ada', causationId: 'x', correlationId: 'x', schema: 1 }
  ;({ position } = await orThrow(system.eventStore.append('note-a', 'none', [{ ...event, metadata }])))
})
afterAll(() => system.close())

const find = async (text: string, more: Partial<Parameters<typeof search>[1]> = {}) =>
  search(system, { text, limit: 20, signal: new AbortController().signal, ...more })

/** `kind id` of every hit; an exact one with a mark. */
const found = async (text: string, more?: Parameters<typeof find>[1]) =>
  (await find(text, more)).groups.flatMap(({ kind, hits }) =>
    hits.map(({ id, exact }) => `${kind} ${id}${exact ? ' !' : ''}`),
  )

describe('search', () => {
  it.each([
    ['main', ['fixity-stores main !']],
    ['main/letters/1912/03.tif', ['fixity-items main/letters/1912/03.tif !']],
    [
      'main/letters/1912/0',
      ['fixity-items main/letters/1912/03.tif', 'fixity-items main/letters/1912/04.tif'],
    ],
    ['/srv/archive/letters/1912/04.tif', ['fixity-items main/letters/1912/04.tif !']],
    ['/srv/archive', ['fixity-stores main !']],
    ['/srv/archive/', ['fixity-stores main !']],
    ['/srv/archive/..hidden/x', ['fixity-items main/..hidden/x !']],
    ['/srv/archive/../x', []],
    ['s3://bucket/kept', ['fixity-stores cloud !']],
    ['s3://bucket/kept/deep/k', ['fixity-items cloud/deep/key.tif']],
    ['s3://bucket/kept/deep', ['fixity-folders cloud/deep/ !', 'fixity-items cloud/deep/key.tif']],
    ['s3://bucket/keptother', []],
    [
      'letters/1912/03.tif',
      ['fixity-items main/letters/1912/03.tif !', 'fixity-items vault/letters/1912/03.tif !'],
    ],
    [
      'vault/letters/1912',
      ['fixity-folders vault/letters/1912/ !', 'fixity-items vault/letters/1912/03.tif'],
    ],
    ['#7', ['ingest-batches 7 !']],
    ['5F0C1D2E-0000-7000-8000-000000000001', ['ingest-batches 7 !']],
    [
      '03.tif',
      [
        'fixity-items main/letters/1912/03.tif !',
        'fixity-items vault/letters/1912/03.tif !',
        'ingest-files ark:/99999/fk4abc !',
      ],
    ],
    [
      '03.T',
      [
        'fixity-items main/letters/1912/03.tif',
        'fixity-items vault/letters/1912/03.tif',
        'ingest-files ark:/99999/fk4abc',
      ],
    ],
    ['herbal', ['matching-works h3xb4', 'matching-works h3xb5']],
    ['Herbal', ['matching-works h3xb4 !', 'matching-works h3xb5']],
    ['part sec', ['matching-works h3xb5']],
    ['part third', []],
    ['Letter 3', ['ingest-jobs 12 !', 'ingest-objects ark:/99999/fk4abc !']],
    ['12', ['ingest-jobs 12 !']],
    ['ark:99999/fk4-abc', ['ingest-objects ark:/99999/fk4abc !']],
    ['ark:/99999/', ['ingest-objects ark:/99999/fk4abc']],
    ['MS-1912', ['ingest-local-ids MS-1912 !', 'ingest-local-ids MS-1912 !']],
    ['MS-', ['ingest-local-ids MS-1912', 'ingest-local-ids MS-1912']],
    ['AB'.repeat(32), ['ingest-files ark:/99999/fk4abc !']],
    ['museum-2025.warc.gz', ['indexing-files main/museum-2025.warc.gz !']],
    ['main/museum-2025.warc.gz', ['indexing-files main/museum-2025.warc.gz !']],
    ['h3xb', ['matching-works h3xb4', 'matching-works h3xb5']],
    ['n0ne', ['matching-placeholders n0ne !']],
    ['news even', ['research-episodes ep-1']],
    ['https://a.example/', ['research-episodes ep-1']],
    ['Jingle', ['research-clips clip-1 !']],
    ['node-a', ['research-researchers node-a !']],
    ['lease-1', ['research-leases lease-1 !']],
    ['letter-1', ['dead-letters letter-1 !']],
    ['message-1', ['rejections message-1 !']],
    ['note-a', ['streams note-a !']],
    ['settings.unset', ['commands settings.unset !']],
    ['fonds.fixity.content', ['topics fonds.fixity.content !']],
    ['matching-works', ['views matching-works !']],
    ['no such thing', []],
  ])('%s', async (text, expected) => {
    const kinds = expected.map((hit) => hit.split(' ')[0])
    const hits = await found(text)
    expect(hits.filter((hit) => hit.endsWith('!') || kinds.includes(hit.split(' ')[0]))).toEqual(expected)
  })

  it('finds an event by its number, however it is written', async () => {
    for (const text of [`${position}`, `@${position}`, `#${position}`])
      expect(await found(text)).toContain(`events ${position} !`)
    expect(await found(String(position + 1000n))).not.toContain(`events ${position + 1000n} !`)
  })

  it('takes characters of patterns as they stand', async () => {
    expect(await found('main/letters/1912/10%_')).toEqual(['fixity-items main/letters/1912/10%_a.tif'])
    for (const text of [
      '%',
      '_',
      '*',
      '"',
      "'",
      '\\',
      'a"b',
      "x' OR 1=1 --",
      '\u202e',
      '😀',
      '~',
      '-',
      '?',
      '[a',
    ])
      expect((await find(text)).leftOut).toEqual([])
  })

  it('puts kinds with an exact hit first, and finds commands by words', async () => {
    const { groups } = await find('letters')
    expect(groups[0]).toMatchObject({ kind: 'ingest-profiles', hits: [{ id: 'letters', exact: true }] })
    expect((await found('hold', { kinds: ['commands'] }))[0]).toMatch(/^commands ingest\.hold-/)
    expect(await found('hold collection', { kinds: ['commands'] })).toContain(
      'commands ingest.hold-collection',
    )
  })

  it('says how many there are, and no more than a thousand', async () => {
    const [one] = (await find('main/letters', { limit: 1, kinds: ['fixity-items'] })).groups
    expect(one).toMatchObject({ total: 4, isAll: true })
    expect(one?.hits).toHaveLength(1)
  })

  it('looks for rows with all words among those of the rarest, and says where it did not read all', async () => {
    const many = await openTestSystem()
    const works = Array.from({ length: 1200 }, (_, n) => ({
      ...{ work: `w${n}`, source: 'library', state: 'visible' },
      title: `Common ${n % 2 ? 'letters' : 'lectures'} ${n === 1199 ? 'zephyr' : ''}`,
    }))
    plant(many.viewStore, projectionsOf(many.workflows), { 'matching-works': works })
    const of = async (text: string) => {
      const asked = { text, kinds: ['matching-works'], limit: 3, signal: new AbortController().signal }
      const [group] = (await search(many, asked)).groups
      return [group?.total, group?.isAll, group?.hits[0]?.id]
    }
    expect(await of('common zephyr')).toEqual([1, true, 'w1199'])
    expect(await of('letters common')).toEqual([600, true, 'w1'])
    expect(await of('common')).toEqual([1000, false, 'w0'])
    expect(await of('common le')).toEqual([1000, false, 'w0'])
    await many.close()
  })

  it('each hit has a command line that a shell takes as it stands, and a page that there is', async () => {
    const texts = [
      'm',
      'n',
      'v',
      'l',
      '-',
      'h',
      'e',
      'c',
      'E',
      'J',
      'ark:',
      '7',
      '12',
      'MS',
      'abababababab',
      'note-a',
      's',
    ]
    const all = await Promise.all(texts.map((text) => find(text)))
    const hits = all.flatMap(({ groups }) => groups.flatMap((group) => group.hits))
    expect(new Set(all.flatMap(({ groups }) => groups.map(({ kind }) => kind))).size).toBeGreaterThan(20)
    for (const { page } of hits)
      if (page !== undefined)
        expect(
          patterns.some((pattern) => match(pattern, addressOf(page).path)),
          page,
        ).toBe(true)
    const odd = hits.find(({ id }) => id === 'main/-odd name')
    expect(odd?.command).toBe("fonds fixity item -- main '-odd name'")
    expect(odd?.page).toBe('/fixity/item?store=main&path=-odd%20name')
  })

  it('says which views are not there yet', async () => {
    const bare = await openTestSystem()
    const { groups, leftOut } = await search(bare, {
      text: 'main',
      limit: 5,
      signal: new AbortController().signal,
    })
    await bare.close()
    expect(groups.map(({ kind }) => kind)).not.toContain('fixity-items')
    expect(leftOut).toContainEqual({
      kind: 'fixity-items',
      title: 'Items',
      because: 'the views of fixity have not been folded yet',
    })
  })

  it('has a kind once', async () => {
    const kinds = (await findersOf(system)).map(({ kind }) => kind)
    expect(kinds).toEqual([...new Set(kinds)])
  })

  it('has the kinds of its page in docs', async () => {
    const page = readFileSync(new URL('../../../docs/reference/search.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| `/.test(line))
    const named = rows.flatMap((line) =>
      [...line.split('|')[1]!.matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind),
    )
    expect(named).toEqual(
      (await findersOf(system)).map(({ kind }) => kind).sort((a, b) => named.indexOf(a) - named.indexOf(b)),
    )
    expect(named).toHaveLength(new Set(named).size)
  })

  it.each([
    ['an empty text', '', 'is empty'],
    ['blanks', ' \t ', 'is empty'],
    ['ten thousand characters', 'x'.repeat(10_000), '10,000 characters'],
  ])('refuses %s', (_, text, why) => {
    expect(whyNotText(text)).toContain(why)
  })
})
