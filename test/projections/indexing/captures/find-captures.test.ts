import { type CaptureQuery, domainRanges, hostRanges, millisOf, prefixRange } from '@fonds/cdx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedUnique } from '../../../infra/capture-index/lines.ts'
import { runs } from '../../../runs.ts'
import { found, indexOf, lineOf, sourceOf } from './given-index.ts'

const cdx = (key: string, time: string, status = '200', file = 'a.warc.gz') =>
  `${key} ${time} http://example.com/ text/html ${status} DIGEST - - 10 20 ${file}`

const keys = [
  'com,example)/',
  'com,example)/a',
  'com,example,b)/',
  'com,example-b)/',
  'com,example:8080)/',
  'org,x)/',
]
const times = ['20250101000000', '20250101000001', '20250630120000', '20260101000000', '20260101000002']
const anyLine = fc
  .tuple(
    fc.constantFrom(...keys),
    fc.constantFrom(...times),
    fc.constantFrom('200', '404'),
    fc.constantFrom('a.warc', 'b.warc', 'hidden.warc'),
  )
  .map(([key, time, status, file]) => cdx(key, time, status, file))
const anyFiles = fc.dictionary(fc.constantFrom('one', 'two', 'three'), fc.array(anyLine, { maxLength: 30 }))

const anyQuery: fc.Arbitrary<CaptureQuery> = fc.record(
  {
    keys: fc.oneof(
      fc.constantFrom(...keys).map((key) => ({ key })),
      fc.constantFrom(...keys).map((key) => ({ ranges: hostRanges(key) })),
      fc.constantFrom(...keys).map((key) => ({ ranges: domainRanges(key) })),
      fc.constantFrom('com,example)/', 'com').map((from) => ({ ranges: [{ from }] })),
    ),
    order: fc.oneof(
      fc.constant('backwards' as const),
      fc.record({
        closest: fc.constantFrom('2025', ...times),
        tie: fc.constantFrom('earlier' as const, 'later' as const),
      }),
    ),
    from: fc.constantFrom(...times),
    to: fc.constantFrom(...times),
    filters: fc.constant([(line: { field(column: 'status'): string }) => line.field('status') === '200']),
    collapses: fc.array(
      fc.record({
        value: fc.constantFrom(
          ({ time }: { readonly time: string }) => time.slice(0, 4),
          ({ key }: { readonly key: string }) => key,
        ),
        keeps: fc.constantFrom('first' as const, 'last' as const),
      }),
      { maxLength: 2 },
    ),
    offset: fc.nat(4),
    page: fc.record({ skip: fc.nat(5), take: fc.integer({ min: 1, max: 9 }) }),
    limit: fc.nat(10),
  },
  { requiredKeys: ['keys'] },
)

/** Of one key only lines of the times that are wanted are read: pages are of those. */
const inBounds = (text: string, { keys, from = '0', to = '99999999999999' }: CaptureQuery): boolean => {
  const time = text.split(' ')[1] ?? ''
  return 'ranges' in keys || (time >= from && time <= to)
}

/** The same by sorting, filtering and cutting all lines. */
const naive = (
  files: Readonly<Record<string, readonly string[]>>,
  query: CaptureQuery,
): readonly string[] => {
  const { keys, order, from = '0', to = '9', filters = [], collapses = [], offset = 0 } = query
  const { skip, take } = query.page ?? { skip: 0, take: 1_000_000 }
  const ranges = 'key' in keys ? [{ from: `${keys.key} `, to: `${keys.key}!` }] : keys.ranges
  const visible = sortedUnique(Object.values(files).flat())
    .filter((text) => ranges.some((range) => text >= range.from && (!('to' in range) || text < range.to)))
    .filter((text) => inBounds(text, query) && !text.endsWith('hidden.warc'))
  const ordered = (order === 'backwards' ? visible.toReversed() : visible)
    .slice(skip, skip + take)
    .map(lineOf)
    .filter((line) => line.time >= from && line.time <= to && filters.every((holds) => holds(line)))
  const collapsed = collapses.reduce(
    (lines, { value, keeps }) =>
      lines.filter((line, i) => {
        const neighbour = lines[keeps === 'first' ? i - 1 : i + 1]
        return neighbour === undefined || value(neighbour) !== value(line)
      }),
    ordered,
  )
  const distance = ({ time }: { readonly time: string }) =>
    typeof order === 'object' ? Math.abs(millisOf(time) - millisOf(order.closest)) : 0
  const later = typeof order === 'object' && order.tie === 'later' ? 1 : 0
  return collapsed
    .toSorted((a, b) => distance(a) - distance(b) || later * (Number(b.time) - Number(a.time)))
    .slice(offset, query.limit === undefined ? undefined : offset + query.limit)
    .map(({ text }) => text)
}

/** Captures of one second have no order among themselves where the nearest come first. */
const comparable = (lines: readonly string[], { order }: CaptureQuery): readonly string[] =>
  typeof order === 'object' ? lines.map((line) => line.split(' ')[1] ?? '') : lines

const isHidden = (line: { field(column: 'file'): string }) => line.field('file') === 'hidden.warc'

describe('any query', () => {
  it('indexing C1 and C2: finds what filtering all sorted lines finds, and never a hidden line', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFiles,
        fc.array(anyQuery, { minLength: 1, maxLength: 5 }),
        async (files, queries) => {
          const index = indexOf(files)
          for (const query of queries) {
            const { lines } = await found(sourceOf(index, { isHidden }), query)
            expect(comparable(lines, query)).toEqual(comparable(naive(files, query), query))
            expect(lines.filter((line) => line.endsWith('hidden.warc'))).toEqual([])
          }
        },
      ),
      { numRuns: runs(300) },
    )
  })

  it('indexing C5: goes on where an earlier answer ended, each line once', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFiles,
        anyQuery.filter(({ order, collapses = [] }) => typeof order !== 'object' && collapses.length < 2),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (files, { limit: _, offset: __, page: ___, ...query }, limit, byScan) => {
          // Where the lines looked at are bounded, a group that is cut may show a line more.
          const asked = byScan ? { ...query, collapses: [] } : { ...query, limit, detectsMore: true }
          const index = indexOf(files)
          const source = sourceOf(index, { isHidden, ...(byScan && { maxScanned: limit + 1 }) })
          const lines: string[] = []
          let resume: CaptureQuery['resume']
          for (let parts = 0; parts < 200; parts++) {
            const part = await found(source, resume ? { ...asked, resume } : asked)
            lines.push(...part.lines)
            resume = part.end.resume
            if (!resume) break
          }
          expect(lines).toEqual(naive(files, byScan ? asked : query))
        },
      ),
      { numRuns: runs(300) },
    )
  })
})

describe('a host', () => {
  it('has keys with ports, which stand behind those of other hosts', async () => {
    const index = indexOf({ one: keys.map((key) => cdx(key, '20250101000000')) })
    const keysOf = async (ranges: ReturnType<typeof hostRanges>) =>
      (await found(sourceOf(index), { keys: { ranges } })).lines.map((line) => line.split(' ')[0])
    expect(await keysOf(hostRanges('com,example)/'))).toEqual([
      'com,example)/',
      'com,example)/a',
      'com,example:8080)/',
    ])
    expect(await keysOf(domainRanges('com,example)/'))).toEqual([
      'com,example)/',
      'com,example)/a',
      'com,example,b)/',
      'com,example:8080)/',
    ])
    expect(await keysOf(hostRanges('com,example:8080)/'))).toEqual(['com,example:8080)/'])
    expect(await keysOf(domainRanges('com'))).toEqual(keys.slice(0, 5).toSorted())
  })

  it('is not found by a prefix that ends in a slash, nor is what only begins alike', () => {
    expect(prefixRange('http://example.com/path/')).toEqual({
      from: 'com,example)/path/',
      to: 'com,example)/path0',
    })
    expect(prefixRange('http://example.com/path?')).toEqual({
      from: 'com,example)/path?',
      to: 'com,example)/path@',
    })
    expect(prefixRange('http://example.com/pa')).toEqual({ from: 'com,example)/pa', to: 'com,example)/pb' })
  })
})

describe('what a query may look at', () => {
  const lines = times.map((time) => cdx('com,example)/', time))

  it('indexing C4: is bounded, and the answer says so', async () => {
    const index = indexOf({ one: lines })
    const all = { keys: { key: 'com,example)/' } }
    expect((await found(sourceOf(index), all)).end).toEqual({ scanned: 5 })
    const cuts: string[] = []
    const onCut = (by: string) => void cuts.push(by)
    expect(await found(sourceOf(index, { maxScanned: 2, onCut }), all)).toEqual({
      lines: lines.slice(0, 2),
      end: { scanned: 2, cut: 'scan', resume: { key: 'com,example)/', time: times[1], place: 1 } },
    })
    const slow = () => {
      const until = performance.now() + 15
      while (performance.now() < until);
      return true
    }
    const asked = { ...all, filters: [slow] }
    expect(await found(sourceOf(index, { maxMillis: 14, onCut }), asked)).toMatchObject({
      lines: lines.slice(0, 1),
      end: { scanned: 1, cut: 'time', resume: { time: times[0] } },
    })
    const closest = { ...all, order: { closest: '2025', tie: 'earlier' } } as const
    expect((await found(sourceOf(index, { maxScanned: 2, onCut }), closest)).end).toEqual({
      scanned: 2,
      cut: 'scan',
    })
    expect(cuts).toEqual(['scan', 'time', 'scan'])
  })

  it('is what can be read: the others are left out', async () => {
    const index = indexOf({
      one: [
        ...lines,
        'com,example)/ 2026',
        'com,example)/ no line at all',
        'com,example)/ 20260101000009 {"url":}',
      ],
    })
    expect((await found(sourceOf(index), { keys: { key: 'com,example)/' } })).lines).toEqual(lines)
  })
})
