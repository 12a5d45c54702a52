import { expect } from 'vitest'
import type { Component, Fact, Family } from '#src/domain/matching/graph/component.ts'
import { componentsOf } from '#src/domain/matching/graph/components.ts'
import type { DecidingLink } from '#src/domain/matching/graph/link-changes.ts'
import { idsIn } from './drive.ts'

/** By id: what it is a part of; an id that is in none is a part of its own. */
const partsBy = (components: readonly Component[]) => {
  const parts = new Map(
    components.flatMap((one) => idsIn(one).map((id) => [id, one.members[0]![0]] as const)),
  )
  return (id: string): string => parts.get(id) ?? `nothing but ${id}`
}

const activeIn = (facts: readonly Fact[]) => {
  const works = new Map(facts.map((fact) => [fact.id, fact]))
  return ({ from, to }: Pick<DecidingLink, 'from' | 'to'>): boolean => {
    const work = works.get(from)
    return work !== undefined && !work.deleted && work.links.includes(to) && !works.get(to)?.deleted
  }
}

/** A tree: as many links as join these parts, and all are joined. */
const expectTree = (parts: ReadonlySet<string>, links: readonly (readonly [string, string])[]): void => {
  expect(links).toHaveLength(parts.size - 1)
  const reached = new Set([[...parts][0]!])
  for (let grew = true; grew; ) {
    const before = reached.size
    for (const [one, other] of links) if (reached.has(one) || reached.has(other)) reached.add(one).add(other)
    grew = reached.size > before
  }
  expect(reached).toEqual(parts)
}

/**
 * What is now one of several old parts is so by the made links, and what an old component fell into by the lost ones; none
 * is named that decided nothing, or that stands as it did.
 */
export const expectDecided = (
  families: readonly Family[],
  before: readonly Fact[],
  after: readonly Fact[],
  changed: ReadonlySet<string>,
): void => {
  const [old, now] = [componentsOf(before), componentsOf(after)]
  const [partBefore, partNow] = [partsBy(old), partsBy(now)]
  const [wasActive, isActive] = [activeIn(before), activeIn(after)]
  const links = families.flatMap((family) => family.links)
  for (const link of links) {
    expect([link.from, link.to]).toContain(link.work)
    expect(changed).toContain(link.work)
    expect([wasActive(link), isActive(link)]).toEqual(link.effect === 'made' ? [false, true] : [true, false])
  }
  const made = links.filter(({ effect }) => effect === 'made')
  for (const { components } of families)
    for (const component of components) {
      const parts = new Set(idsIn(component).map(partBefore))
      const own = made.filter(({ from }) => idsIn(component).includes(from))
      expectTree(
        parts,
        own.map(({ from, to }) => [partBefore(from), partBefore(to)]),
      )
    }
  const lost = links.filter(({ effect }) => effect === 'lost')
  for (const component of old) {
    const parts = new Set(idsIn(component).map(partNow))
    const own = lost.filter(({ from }) => partBefore(from) === component.members[0]![0])
    expectTree(
      parts,
      own.map(({ from, to }) => [partNow(from), partNow(to)]),
    )
  }
}
