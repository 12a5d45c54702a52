import { byId } from '../work.ts'
import type { GraphTables } from './apply-fact.ts'
import { bridgeOf, type Link, maxBridged } from './bridge.ts'
import type { Component } from './component.ts'
import type { Member } from './events.ts'
import { type FactTable, unseen } from './fact-table.ts'
import type { Partition } from './partition.ts'

/** Reads components by label, with ids in place of numbers. */
export class ComponentReader {
  readonly #facts: FactTable
  readonly #partition: Partition

  constructor({ facts, partition }: GraphTables) {
    this.#facts = facts
    this.#partition = partition
  }

  name(node: number): string {
    return this.#facts.ids.name(node)!
  }

  read(label: number): Component {
    const nodes = this.#partition.nodes(label).sort(this.#byName)
    this.#partition.reorder(nodes)
    const works = nodes.filter(this.#isWork)
    const members = works.map((node): Member => [this.name(node), this.#facts.revision[node]!])
    const placeholders = nodes.filter((node) => !this.#isWork(node)).map((node) => this.name(node))
    const bridge =
      works.length <= maxBridged ? bridgeOf(members, placeholders, this.#activeLinks(works)) : undefined
    return { members, placeholders, ...(bridge && { bridge }) }
  }

  /** The families of these labels, those with the largest component first; a label without a family is alone. */
  *inOrder(
    labels: readonly number[],
    families: ReadonlyMap<number, readonly number[]>,
  ): Generator<readonly number[]> {
    const read = new Set<readonly number[]>()
    for (const label of this.#bySize(labels)) {
      const family = families.get(label)
      if (!family) yield [label]
      else if (!read.has(family)) {
        read.add(family)
        yield [...this.#bySize(family)]
      }
    }
  }

  /** Large components first, of equal size the one with the smallest id. Ids are compared only once a size is reached. */
  *#bySize(labels: readonly number[]): Generator<number> {
    const bySize = Map.groupBy(labels, (label) => this.#countWorks(label))
    for (const [, equal] of [...bySize].sort(([a], [b]) => b - a))
      if (equal.length === 1) yield* equal
      else
        for (const node of equal.map((label) => this.#firstWork(label)).sort(this.#byName))
          yield this.#partition.label[node]!
  }

  readonly #isWork = (node: number): boolean => this.#facts.state[node] !== unseen

  readonly #byName = (one: number, other: number): number => byId(this.name(one), this.name(other))

  #countWorks(label: number): number {
    let works = 0
    for (const node of this.#partition.nodes(label)) if (this.#isWork(node)) works++
    return works
  }

  #firstWork(label: number): number {
    let first = 0
    for (const node of this.#partition.nodes(label))
      if (this.#isWork(node) && (!first || this.#byName(node, first) < 0)) first = node
    return first
  }

  #activeLinks(works: readonly number[]): Link[] {
    const { links } = this.#facts
    const active: Link[] = []
    for (const node of works)
      for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!)
        if (this.#facts.isActive(link)) active.push({ from: this.name(node), to: this.name(links.to[link]!) })
    return active
  }
}
