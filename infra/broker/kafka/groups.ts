import kafkajs, { type Admin, type GroupDescription } from 'kafkajs'
import type { GroupInfo, TopicInfo } from '../../../src/ports/broker.ts'
import { offsetsIfThere } from './list-topics.ts'
import type { Names } from './names.ts'

type Offsets = (full: string) => Promise<TopicInfo['offsets']>

/** Members, offsets and lag of every consumer group with our prefix. */
export const listGroups = async (
  admin: Admin,
  names: Names,
  sessionMillis: number,
): Promise<readonly GroupInfo[]> => {
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
  return Promise.all(described.groups.map((group) => describe(admin, names, group, offsets, aliveUntil)))
}

const describe = async (
  admin: Admin,
  names: Names,
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
      return found.flatMap(({ partition, start, end }) => {
        const id = `${full}-${partition}`
        if (topic === undefined || !(owners.has(id) || committed.has(id))) return []
        const known = committed.get(id)
        // Records that retention dropped are not handled any more.
        const next = known === undefined || known < start ? start : known
        const lag = end > next ? end - next : 0n
        return [{ topic, partition, committed: next, end, lag, member: owners.get(id) ?? null }]
      })
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
