import type { GroupInfo } from '../ports/broker.ts'
import { type NodeName, nodeOf } from './node-names.ts'

/** A process that is at work, as far as leader leases and consumer groups tell. */
export interface KnownNode {
  /** Undefined where all that is known is the name of a group's member. */
  readonly node: NodeName | undefined
  readonly name: string
  readonly leases: readonly string[]
  readonly groups: readonly string[]
}

/** Processes that hold a lease or take messages: of others nothing is written anywhere. */
export const knownNodes = (
  now: string,
  leases: readonly { readonly lease: string; readonly holder: string | null }[],
  groups: readonly Pick<GroupInfo, 'group' | 'members'>[],
): readonly KnownNode[] => {
  const named = [
    ...leases.flatMap(({ lease, holder }) => (holder === null ? [] : [{ name: holder, lease }])),
    ...groups.flatMap(({ group, members }) =>
      members.filter(({ aliveUntil }) => aliveUntil > now).map(({ member }) => ({ name: member, group })),
    ),
  ].map((one) => ({ lease: undefined, group: undefined, ...one, node: nodeOf(one.name) }))
  const byProcess = Map.groupBy(named, ({ name, node }) => (node ? `${node.host} ${node.pid}` : name))
  return [...byProcess.values()].map((those) => {
    const nodes = those.flatMap(({ node }) => node ?? [])
    const node = nodes.find(({ version }) => version !== null) ?? nodes[0]
    return {
      node,
      name: node ? `${node.host}, process ${node.pid}` : (those[0]?.name ?? ''),
      leases: those.flatMap(({ lease }) => lease ?? []).sort(),
      groups: [...new Set(those.flatMap(({ group }) => group ?? []))].sort(),
    }
  })
}
