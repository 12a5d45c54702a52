import kafkajs, { type Admin, type GroupDescription } from 'kafkajs'
import type { GroupInfo, TopicInfo } from '../../../src/ports/broker.ts'
import { offsetsIfThere } from './list-topics.ts'
import type { Names } from './names.ts'
import type { Ahead, LookAhead } from './peek.ts'

interface GroupsDependencies {
  readonly admin: Admin
  readonly names: Names
  readonly sessionMillis: number
  readonly lookAhead: LookAheadBelow
}

/** `high`: behind the last record of all, as Kafka says it. */
type LookAheadBelow = (full: string, partition: number, from: bigint, high: bigint) => Promise<Ahead>

type Offsets = (full: string) => Promise<TopicInfo['offsets']>

/** Members, offsets and lag of every consumer group with our prefix. */
export const listGroups = async (deps: GroupsDependencies): Promise<readonly GroupInfo[]> => {
  const { admin, names, sessionMillis } = deps
  const { groups } = await admin.listGroups()
  const ids = groups
    .filter(({ groupId, protocolType }) => protocolType === 'consumer' && names.bare(groupId) !== undefined)
    .map(({ groupId }) => groupId)
    .sort()
  if (ids.length === 0) return []
  // Groups keep offsets of topics that were deleted.
  const existing = new Set(await admin.listTopics())
  const asked = new Map<string, ReturnType<Offsets>>()
  const offsets: Offsets = (full) => {
    const before = asked.get(full) ?? (existing.has(full) ? offsetsIfThere(admin, full) : Promise.resolve([]))
    asked.set(full, before)
    return before
  }
  // Kafka does not say when a member's last heartbeat was, only that it still is a member.
  const aliveUntil = new Date(Date.now() + sessionMillis).toISOString()
  const described = await admin.describeGroups(ids)
  return Promise.all(described.groups.map((group) => describe(deps, group, offsets, aliveUntil)))
}

const describe = async (
  { admin, names, lookAhead }: GroupsDependencies,
  { groupId, members: described }: GroupDescription,
  offsets: Offsets,
  aliveUntil: string,
): Promise<GroupInfo> => {
  const members = described.map(({ memberId, memberAssignment }) => ({
    member: memberId,
    assigned: assignedPartitions(memberAssignment),
  }))
  const owners = new Map(
    members.flatMap(({ member, assigned }) => assigned.map((partition) => [partition.id, member])),
  )
  const committed = new Map<string, bigint>()
  for (const { topic, partitions } of await admin.fetchOffsets({ groupId }))
    for (const { partition, offset } of partitions)
      if (Number(offset) >= 0) committed.set(`${topic}-${partition}`, BigInt(offset))

  const topics = new Set([
    ...members.flatMap(({ assigned }) => assigned.map(({ topic }) => topic)),
    ...[...committed.keys()].map((id) => id.slice(0, id.lastIndexOf('-'))),
  ])
  const partitions = await Promise.all(
    [...topics].sort().map(async (full) => {
      const topic = names.bare(full)
      const found = topic === undefined ? [] : await offsets(full)
      const places = found.map(async ({ partition, start, end }) => {
        const id = `${full}-${partition}`
        if (topic === undefined || !(owners.has(id) || committed.has(id))) return []
        const known = committed.get(id)
        // Records that retention dropped are not handled any more.
        const next = known === undefined || known < start ? start : known
        const waiting = await waitingIn(lookAhead, full, partition, next, end)
        return [{ topic, partition, ...waiting, member: owners.get(id) ?? null }]
      })
      return (await Promise.all(places)).flat()
    }),
  )
  return {
    group: names.bare(groupId)!,
    members: members.map(({ member, assigned }) => ({
      member,
      partitions: assigned.flatMap(({ topic, partition }) => {
        const name = names.bare(topic)
        return name === undefined ? [] : [`${name}-${partition}`]
      }),
      aliveUntil,
    })),
    partitions: partitions.flat(),
  }
}

/**
 * Marks of transactions and aborted records wait for nobody: a group that has nothing else before it has come to the end. Nor
 * does an open transaction, until it ends.
 */
const waitingIn = async (
  lookAhead: LookAheadBelow,
  full: string,
  partition: number,
  next: bigint,
  high: bigint,
): Promise<{ readonly committed: bigint; readonly end: bigint; readonly lag: bigint }> => {
  const all = { committed: next, end: high, lag: high > next ? high - next : 0n }
  if (all.lag === 0n) return all
  try {
    const { record, end } = await lookAhead(full, partition, next, high)
    return record === undefined ? { committed: end, end, lag: 0n } : { committed: next, end, lag: end - next }
  } catch {
    // It cannot be read: something waits there.
    return all
  }
}

/** Asks again only where the record that was found may have been handled. */
export const createAheadCache = (lookAhead: LookAhead): LookAheadBelow => {
  const known = new Map<string, { readonly from: bigint; readonly record: bigint }>()
  return async (full, partition, from, high) => {
    const id = `${full}-${partition}`
    const before = known.get(id)
    if (before && before.from <= from && from <= before.record) return { record: before.record, end: high }
    const found = await lookAhead(full, partition, from)
    if (found.record !== undefined) known.set(id, { from, record: found.record })
    return found
  }
}

interface AssignedPartition {
  readonly id: string
  readonly topic: string
  readonly partition: number
}

/** Empty for a member that has not got its assignment yet. */
const assignedPartitions = (assignment: Buffer): readonly AssignedPartition[] => {
  const decoded = assignment.length > 0 ? kafkajs.AssignerProtocol.MemberAssignment.decode(assignment) : null
  return Object.entries(decoded?.assignment ?? {}).flatMap(([topic, partitions]) =>
    partitions
      .toSorted((a, b) => a - b)
      .map((partition) => ({ id: `${topic}-${partition}`, topic, partition })),
  )
}
