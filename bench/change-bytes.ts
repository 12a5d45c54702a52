import type { Fact } from '../src/domain/matching/graph/component.ts'
import type { Cause } from '../src/domain/matching/graph/events.ts'
import { createGraph, type Graph } from '../src/domain/matching/graph/graph.ts'
import { splitIntoChanges } from '../src/domain/matching/graph/split.ts'
import { expectSame } from './table.ts'

/*
 * What changes of a hub of 9,600 works take in the log: all of it, and the causes in it, with the links that moved works.
 * `node bench/change-bytes.ts [works]`
 */

const size = Number(process.argv[2] ?? 9600)
const idOf = (work: number): string => `w${String(work).padStart(7, '0')}`
const hub = idOf(0)
const fact = (id: string, links: readonly string[], revision = 1): Fact => ({
  id,
  revision,
  deleted: false,
  links,
})

const newHub = (): Graph => {
  const graph = createGraph()
  for (let work = 0; work < size; work++) graph.apply(fact(idOf(work), work > 0 ? [hub] : [], 0))
  graph.take()
  return graph
}

const bytes = (data: unknown): number => Buffer.byteLength(JSON.stringify(data))

/** `decided`: links that move works by these facts. */
const measure = (what: string, decided: number, facts: readonly Fact[]): void => {
  const graph = newHub()
  const causes = new Map<string, Cause>()
  for (const one of facts) {
    graph.apply(one)
    causes.set(one.id, { work: one.id, revision: one.revision, type: 'WorkObserved' })
  }
  const { families, dropped } = graph.take()
  const parts = [...splitIntoChanges(families, causes, dropped)].flat(2)
  const kept = parts.flatMap((part) => part.causes)
  const links = kept.flatMap(({ made = [], lost = [] }) => [...made, ...lost])
  expectSame(`links that decided: ${what}`, links.length, decided)
  const all = parts.reduce((sum, part) => sum + bytes(part), 0)
  const show = (n: number) => n.toLocaleString('en').padStart(9)
  console.log(
    `${what.padEnd(36)} ${show(all)} bytes, of these ${show(bytes(kept))} causes; ${show(links.length)} links decided, ${show(parts.length)} events`,
  )
}

console.log(`a hub of ${size.toLocaleString('en')} works`)
measure('an update that moves nothing', 0, [fact(idOf(7), [hub])])
measure('a work joins', 1, [fact(idOf(size), [hub])])
measure('a work leaves', 1, [fact(idOf(7), [])])
const many = Array.from({ length: Math.min(4404, size >> 1) }, (_, n) => n + 1)
measure(
  `${many.length.toLocaleString('en')} works leave at once`,
  many.length,
  many.map((work) => fact(idOf(work), [])),
)
measure(
  `${many.length.toLocaleString('en')} works join at once`,
  many.length,
  many.map((work) => fact(idOf(size + work), [hub])),
)
measure('the hub is deleted', size - 1, [{ ...fact(hub, []), deleted: true }])
