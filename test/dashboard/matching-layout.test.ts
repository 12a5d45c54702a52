import { expect, test } from 'vitest'
import { type Graph, layoutOf } from '../../dashboard/src/pages/matching/layout.ts'

const work = (id: string): Graph['nodes'][number] => ({
  id,
  state: 'visible',
  source: 'library',
  sourceVersion: 1,
  title: null,
  revision: 0,
  document: 'merged',
  redirectsTo: null,
})
const link = (text: string): Graph['links'][number] => {
  const [from = '', to = ''] = text.split('>')
  return { from, to, reasons: ['same as'], active: true, statedAt: '2026-01-31T12:00:00.000Z', revision: 0 }
}
const graph = (ids: string, links: string, alike: string[][] = []): Graph => ({
  generation: 1,
  graph: 1,
  component: 'a',
  size: ids.length,
  version: 1,
  changedAt: '2026-01-31T12:00:00.000Z',
  target: null,
  nodes: [...ids].map(work),
  links: links.split(' ').map(link),
  bridge: null,
  leftOut: 0,
  bridges: [],
  alike,
  verdict: null,
})
const laid = (of: Graph, centre: string, more: { most?: number; grown?: string[]; open?: string } = {}) => {
  const { grown = [], ...rest } = more
  return layoutOf(of, { centre, most: 100, grown: new Set(grown), ...rest })
}
const columns = ({ boxes }: ReturnType<typeof layoutOf>) =>
  [...Map.groupBy(boxes, ({ left }) => left)]
    .toSorted(([one], [other]) => one - other)
    .map(([, some]) =>
      some
        .map(({ work }) => work.id)
        .toSorted()
        .join(''),
    )

test('P32: works stand in columns by how far they are, whichever way their links lead', () => {
  const of = graph('abcde', 'a>b c>a c>d e>d')
  expect(columns(laid(of, 'a'))).toEqual(['a', 'bc', 'd', 'e'])
  expect(columns(laid(of, 'e'))).toEqual(['e', 'd', 'c', 'a', 'b'])
})

test('no two boxes of a column overlap, and all lie within the drawing', () => {
  const ids = 'abcdefghijklmnop'
  const links = [...ids].slice(1).map((id, i) => `${id}>${ids[Math.floor(i / 3)]}`)
  const { boxes, width, height } = laid(graph(ids, links.join(' '), [['n', 'o', 'p']]), 'a', { open: 'n' })
  for (const [, some] of Map.groupBy(boxes, ({ left }) => left)) {
    const sorted = some.toSorted((one, other) => one.top - other.top)
    for (const [i, { top, height }] of sorted.entries())
      expect(top + height).toBeLessThanOrEqual(sorted[i + 1]?.top ?? Number.POSITIVE_INFINITY)
  }
  for (const { left, top, height: tall } of boxes) {
    expect(left).toBeLessThan(width)
    expect(top + tall).toBeLessThanOrEqual(height)
  }
})

test('works that are alike are one box, which can be opened', () => {
  const of = graph('abcd', 'b>a c>a d>a', [['b', 'c', 'd']])
  const { boxes, lines } = laid(of, 'a', { open: 'b' })
  expect(boxes.map(({ work, alike, isOpen }) => [work.id, alike, isOpen])).toContainEqual([
    'b',
    ['b', 'c', 'd'],
    true,
  ])
  expect(lines).toHaveLength(1)
  expect(boxes).toHaveLength(2)
})

test('of more works than are drawn, each says how many neighbours are missing; one that is grown has them all', () => {
  const of = graph('abcdef', 'b>a c>a d>b e>b f>c')
  const few = laid(of, 'a', { most: 3 })
  expect(few.boxes.map(({ work, more }) => [work.id, more]).toSorted()).toEqual([
    ['a', 0],
    ['b', 2],
    ['c', 1],
  ])
  expect(columns(laid(of, 'a', { most: 3, grown: ['b'] }))).toEqual(['a', 'bc', 'de'])
})

test('two that state links to each other have two lines and stand once', () => {
  const { boxes, lines } = laid(graph('ab', 'a>b b>a'), 'a')
  expect(boxes).toHaveLength(2)
  expect(lines).toHaveLength(2)
  expect(boxes.find(({ work }) => work.id === 'b')?.reachedBy).toHaveLength(2)
})
