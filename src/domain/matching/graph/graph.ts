import { byId } from '../work.ts'
import { bridgeOf, type Link, mostBridged } from './bridge.ts'
import type { Component, Fact } from './component.ts'
import type { Member } from './events.ts'
import { deleted, FactTable, live, unseen } from './facts.ts'
import { Partition } from './partition.ts'
import { readFacts, writeFacts } from './snapshot.ts'

export type { Component, Fact } from './component.ts'

/** What some facts led to. */
export interface Change {
  /**
   * The components they touched, as they are now, made one by one: they must be read before the next fact comes, and
   * throw otherwise. Large ones first (by works, then by smallest id).
   */
  readonly components: Iterable<Component>
  readonly count: number
  /** Placeholders that were told of before and that nobody names any more, sorted. */
  readonly dropped: readonly string[]
}

/**
 * The works and their components, kept up to date in memory: a pure function of the latest fact of each work (M9). The
 * order of facts of one work is the caller's to keep; nothing else about their order can be seen.
 */
export interface Graph {
  /** The last fact of a work counts. Its old and its new component are to be told, also where nothing changed (M6, M13). */
  apply(fact: Fact): void
  /**
   * Its component is to be told again; the work stands at `revision` now, where one is given. False for a work that was
   * never seen.
   */
  touch(id: string, revision?: number): boolean
  /** Facts and touches since the last `take`. */
  readonly pending: number
  take(): Change
  /** A work that was seen, or a placeholder that is named. */
  has(id: string): boolean
  /** Also of a placeholder. */
  componentOf(id: string): Component | undefined
  /**
   * The components from a place in the graph on, until there are `most` works; `next` is the place to go on at. From 0 to
   * the end each comes once. What is still to be told is left out, for the next `take`; what was told meanwhile may come
   * again. Places are good for this graph only, not for one that is read from its snapshot.
   */
  list(
    from: number,
    most: number,
  ): { readonly components: readonly Component[]; readonly next: number | undefined }
  /** Seen works. */
  readonly works: number
  /** Works and placeholders. */
  readonly size: number
  /** A snapshot of the graph as it is at this call. Nothing may be pending: that would never be told. */
  parts(): Iterable<Uint8Array>
}

/** `seed`: any number. One that nobody can guess keeps ids from being made to collide in the table of ids. */
export const newGraph = (seed?: number): Graph => graphOf(new FactTable(seed))

/** Undefined where the bytes are not of this version of the format, or nonsense: it is to be folded anew. */
export const readGraph = (bytes: Uint8Array, seed?: number): Graph | undefined => {
  const facts = readFacts(bytes, seed)
  return facts && graphOf(facts)
}

const graphOf = (facts: FactTable): Graph => {
  const { ids, links } = facts
  const partition = new Partition(facts)
  let pending = 0
  /** Counts the facts, so that a change that is read too late can tell. */
  let edition = 0

  const apply = ({ id, revision, deleted: gone, links: targets }: Fact): void => {
    pending++
    edition++
    const node = facts.number(id)
    partition.add(node)
    partition.mark(node)
    facts.revision[node] = revision
    // Links change while they are inactive, where they can: a deleted work never meets those that it names last.
    if (gone) bury(node)
    relink(node, targets)
    if (!gone) raise(node)
    partition.mark(node)
  }

  const bury = (node: number): void => {
    const was = facts.state[node]
    if (was === deleted) return
    partition.doubt(node)
    facts.become(node, deleted)
    if (was === live)
      for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!) facts.unname(links.to[link]!)
  }

  const raise = (node: number): void => {
    if (facts.state[node] === live) return
    facts.become(node, live)
    for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!) connect(node, links.to[link]!)
    for (let link = links.firstIn[node]!; link; link = links.nextIn[link]!)
      if (facts.isActive(link)) partition.join(node, links.from[link]!)
  }

  const relink = (node: number, targets: readonly string[]): void => {
    if (targets.length === 0 && !links.firstOut[node]) return
    const wanted = new Set<number>()
    for (const target of targets) wanted.add(facts.number(target))
    wanted.delete(node)
    links.keep(node, wanted, (target) => {
      if (facts.state[node] === live) {
        facts.unname(target)
        if (facts.state[target] !== deleted) partition.doubt(node)
      }
      partition.loosen(target)
    })
    for (const target of wanted) {
      links.add(node, target)
      if (facts.state[node] === live) connect(node, target)
    }
  }

  /** A live work names it from now on. */
  const connect = (node: number, target: number): void => {
    facts.name(target)
    if (facts.state[target] === deleted) return
    partition.add(target)
    partition.join(node, target)
  }

  const touch = (id: string, revision?: number): boolean => {
    const node = ids.find(id)
    if (!node || facts.state[node] === unseen) return false
    pending++
    if (revision !== undefined) {
      edition++
      facts.revision[node] = revision
    }
    partition.mark(node)
    return true
  }

  const take = (): Change => {
    const { labels, absent, dropped } = partition.tell()
    const names = dropped.map(name).sort(byId)
    for (const node of absent) facts.forget(node)
    pending = 0
    const taken = edition
    const ranks = bySize(labels)
    function* components(): Generator<Component> {
      for (const rank of ranks)
        for (const label of inOrder(rank)) {
          if (edition !== taken)
            throw new Error(
              'A change was read on after another fact had come; read it all before the next one',
            )
          yield component(label)
        }
    }
    return { components: { [Symbol.iterator]: components }, count: labels.length, dropped: names }
  }

  /** One list for each number of works, the largest first. */
  const bySize = (labels: readonly number[]): number[][] => {
    const ranks = new Map<number, number[]>()
    for (const label of labels) {
      let works = 0
      for (const node of partition.nodes(label)) if (facts.state[node] !== unseen) works++
      const rank = ranks.get(works)
      if (rank) rank.push(label)
      else ranks.set(works, [label])
    }
    return [...ranks].sort(([a], [b]) => b - a).map(([, rank]) => rank)
  }

  /** By the smallest work of each. */
  const inOrder = (labels: readonly number[]): readonly number[] =>
    labels.length === 1
      ? labels
      : labels
          .map(firstWork)
          .sort(byName)
          .map((node) => partition.label[node]!)

  const firstWork = (label: number): number => {
    let first = 0
    for (const node of partition.nodes(label))
      if (facts.state[node] !== unseen && (!first || byName(node, first) < 0)) first = node
    return first
  }

  const component = (label: number): Component => {
    const nodes = partition.nodes(label).sort(byName)
    partition.arrange(nodes)
    const seen = nodes.filter((node) => facts.state[node] !== unseen)
    const members = seen.map((node): Member => [name(node), facts.revision[node]!])
    const placeholders = nodes.filter((node) => facts.state[node] === unseen).map(name)
    const bridge = seen.length <= mostBridged ? bridgeOf(members, placeholders, stated(seen)) : undefined
    return { members, placeholders, ...(bridge && { bridge }) }
  }

  /** The active links of these works. */
  const stated = (nodes: readonly number[]): Link[] => {
    const active: Link[] = []
    for (const node of nodes)
      for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!)
        if (facts.isActive(link)) active.push({ from: name(node), to: name(links.to[link]!) })
    return active
  }

  const name = (node: number): string => ids.name(node)!
  const byName = (one: number, other: number): number => byId(name(one), name(other))

  return {
    apply,
    touch,
    take,
    has(id) {
      partition.settle()
      return partition.label[ids.find(id)] !== 0
    },
    componentOf(id) {
      partition.settle()
      const label = partition.label[ids.find(id)]
      return label ? component(label) : undefined
    },
    list(from, most) {
      partition.settle()
      const components: Component[] = []
      let node = Math.max(from, 1)
      for (let left = most; left > 0 && node < facts.end; node++)
        if (partition.isListed(node)) {
          const listed = component(partition.label[node]!)
          components.push(listed)
          left -= listed.members.length
        }
      return { components, next: node < facts.end ? node : undefined }
    },
    parts() {
      if (pending > 0) throw new Error('A snapshot would forget what is still to be told; take() it first')
      return writeFacts(facts)
    },
    get pending() {
      return pending
    },
    get works() {
      return facts.works
    },
    get size() {
      return facts.works + facts.placeholders
    },
  }
}
