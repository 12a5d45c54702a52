import type { Fact } from './component.ts'
import { deleted, type FactTable, live } from './fact-table.ts'
import type { LinkChanges } from './link-changes.ts'
import type { Partition } from './partition.ts'

/** The tables that a fact changes. */
export interface GraphTables {
  readonly facts: FactTable
  readonly partition: Partition
  readonly changes: LinkChanges
}

/** Puts the latest fact of a work in place of the one before, and marks the components that it was and is in. */
export const applyFact = (tables: GraphTables, { id, revision, deleted: isDeleted, links }: Fact): void => {
  const { facts, partition, changes } = tables
  const node = facts.numberOf(id)
  changes.begin(node, revision)
  partition.add(node)
  partition.markChanged(node)
  facts.revision[node] = revision
  // Links change while they are inactive, where they can: a deleted work never connects to those that it names last.
  if (isDeleted) deactivate(tables, node)
  replaceLinks(tables, node, links)
  if (!isDeleted) activate(tables, node)
  partition.markChanged(node)
}

const deactivate = ({ facts, partition, changes }: GraphTables, node: number): void => {
  const { links } = facts
  const before = facts.state[node]
  if (before === deleted) return
  partition.invalidate(node)
  for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!)
    if (facts.isActive(link)) changes.lost(link)
  for (let link = links.firstIn[node]!; link; link = links.nextIn[link]!)
    if (facts.isActive(link)) changes.lost(link)
  facts.setState(node, deleted)
  if (before === live)
    for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!)
      facts.removeReference(links.to[link]!)
}

const activate = (tables: GraphTables, node: number): void => {
  const { facts, partition, changes } = tables
  const { links } = facts
  const before = facts.state[node]
  if (before === live) return
  facts.setState(node, live)
  for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!) connect(tables, node, link)
  for (let link = links.firstIn[node]!; link; link = links.nextIn[link]!)
    if (facts.isActive(link)) {
      partition.join(node, links.from[link]!)
      // One that was never described was connected by them.
      if (before === deleted) changes.made(link)
    }
}

const replaceLinks = (tables: GraphTables, node: number, targets: readonly string[]): void => {
  const { facts, partition, changes } = tables
  const { links } = facts
  if (targets.length === 0 && !links.firstOut[node]) return
  const isLive = facts.state[node] === live
  const wanted = new Set<number>()
  for (const target of targets) wanted.add(facts.numberOf(target))
  wanted.delete(node)
  links.keep(node, wanted, (link) => {
    const target = links.to[link]!
    if (isLive) {
      facts.removeReference(target)
      if (facts.isActive(link)) {
        partition.invalidate(node)
        changes.lost(link)
      }
    }
    partition.linkLost(target)
  })
  for (const target of wanted) {
    const link = links.add(node, target)
    if (isLive) connect(tables, node, link)
  }
}

/** A live work states this link from now on. */
const connect = ({ facts, partition, changes }: GraphTables, node: number, link: number): void => {
  const target = facts.links.to[link]!
  facts.addReference(target)
  if (facts.state[target] === deleted) return
  partition.add(target)
  partition.join(node, target)
  changes.made(link)
}
