import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Fact } from '../src/domain/matching/graph/component.ts'
import { createGraph, type Graph, readGraph } from '../src/domain/matching/graph/graph.ts'
import { catalogue, large, largest, small } from './catalogue.ts'
import { expectSame, printTable } from './table.ts'

/*
 * The graph of a whole catalogue in memory, beside a bare union-find over the same ids, which can join and nothing else.
 * `node bench/graph.ts [works]`
 */

const works = Number(process.argv[2] ?? 3_200_000)
const made = catalogue(works)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const mebibytes = (): number => {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

/** Adds all works. The time in which they are made up does not count. */
const feed = (apply: (fact: Fact) => void): { perSecond: number; linksEach: number; mebibytes: number } => {
  const before = mebibytes()
  let millis = 0
  let links = 0
  let some: Fact[] = []
  let left = works
  for (const fact of made.facts()) {
    some.push(fact)
    links += fact.links.length
    if (--left > 0 && some.length < 10_000) continue
    const start = performance.now()
    for (const fact of some) apply(fact)
    millis += performance.now() - start
    some = []
  }
  return { perSecond: (works / millis) * 1000, linksEach: links / works, mebibytes: mebibytes() - before }
}

const newUnionFind = () => {
  const numbers = new Map<string, number>()
  const above: number[] = []
  const size: number[] = []
  const number = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, above.length)
    size.push(1)
    return above.push(above.length) - 1
  }
  const top = (node: number): number => {
    let at = node
    while (above[at] !== at) at = above[at] = above[above[at]!]!
    return at
  }
  const apply = ({ id, links }: Fact): void => {
    const node = number(id)
    for (const link of links) {
      let [a, b] = [top(node), top(number(link))]
      if (a === b) continue
      if (size[a]! < size[b]!) [a, b] = [b, a]
      above[b] = a
      size[a]! += size[b]!
    }
  }
  return { apply, size: () => numbers.size }
}

const time = (millis: number): string =>
  millis >= 1000 ? `${(millis / 1000).toFixed(1)} s` : `${millis.toPrecision(3)} ms`

const timed = <T>(what: string, work: () => T): T => {
  const start = performance.now()
  const result = work()
  console.log(`${what}: ${time(performance.now() - start)}`)
  return result
}

const measureUnionFind = () => {
  const unionFind = newUnionFind()
  const fed = feed(unionFind.apply)
  return { ...fed, size: unionFind.size() }
}

const theirs = measureUnionFind()
const graph = createGraph()
const ours = feed((fact) => graph.apply(fact))
expectSame('ids held', graph.size, theirs.size)

console.log(`${works.toLocaleString('en')} works, ${ours.linksEach.toFixed(2)} links each`)
printTable('graph', [
  {
    what: 'works added',
    ours: ours.perSecond,
    beside: 'bare union-find',
    theirs: theirs.perSecond,
    unit: '/s',
    promise: 0.3,
  },
  {
    what: 'memory',
    ours: ours.mebibytes,
    beside: 'bare union-find',
    theirs: theirs.mebibytes,
    unit: 'MiB',
  },
])

const change = timed('everything settled', () => graph.take())
const told = timed(`and ${change.count.toLocaleString('en')} components made`, () => {
  let members = 0
  for (const { components } of change.families)
    for (const { members: each } of components) members += each.length
  return members
})
expectSame('works told of', told, works)
console.log(`the process, at most: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`)

const snapshot = timed('snapshot written', () => Buffer.concat([...graph.parts()]))
const read = timed(`  and read, ${(snapshot.length / 2 ** 20).toFixed(0)} MiB`, () => readGraph(snapshot))
if (read?.size !== graph.size) throw new Error('What was read is not what was written')

/** A work states its links anew, and what comes of it is told at once. */
const update = (graph: Graph, fact: Fact): number => {
  const start = performance.now()
  graph.apply(fact)
  let members = 0
  for (const { components } of graph.take().families)
    for (const { members: each } of components) members += each.length
  if (members === 0) throw new Error('Nothing was told')
  return performance.now() - start
}

for (const [size, updates] of [
  [small, 5000],
  [large, 1000],
  [largest, 20],
] as const) {
  const starts = made.membersOf(size)
  if (starts.length === 0) continue
  const times = Array.from({ length: updates }, (_, n) =>
    update(graph, made.fact(starts[n % starts.length]! + ((n * 7) % size), n + 1)),
  ).sort((a, b) => a - b)
  const [median, high] = [times[updates >> 1]!, times[Math.floor(updates * 0.99)]!]
  console.log(
    `one update among ${size.toLocaleString('en')} works: median ${time(median)}, 99 of 100 within ${time(high)}`,
  )
}
