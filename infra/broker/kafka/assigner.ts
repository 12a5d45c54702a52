import kafkajs, { type PartitionAssigner } from 'kafkajs'
import { readMark } from '../../../src/domain/kernel/group-binding.ts'
import { type Binder, textOf } from './binder.ts'

/**
 * Gives all partitions of one number, of whatever topic, to one member. The same key has the same number on every topic
 * of a group, so messages about one thing on several topics meet in one process, which then writes its stream alone. With
 * a binder, members of another log than the group's get no partitions.
 */
export const byNumber =
  (binder?: Pick<Binder, 'mark' | 'admit'>): PartitionAssigner =>
  ({ cluster }) => ({
    name: 'fonds-by-number',
    version: 0,
    protocol({ topics }) {
      const { MemberMetadata } = kafkajs.AssignerProtocol
      const metadata = MemberMetadata.encode({
        version: this.version,
        topics,
        userData: Buffer.from(textOf(binder?.mark()) ?? ''),
      })
      return { name: this.name, metadata }
    },
    async assign({ members, topics }) {
      const partitions = topics.map((topic) => ({
        topic,
        numbers: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId),
      }))
      const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol
      const marks = new Map(
        members.map(({ memberId, memberMetadata }) => [
          memberId,
          readMark(MemberMetadata.decode(memberMetadata)?.userData.toString()),
        ]),
      )
      const shares = shareByNumber(binder ? await binder.admit(marks) : [...marks.keys()], partitions)
      return members.map(({ memberId }) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: this.version,
          assignment: shares.get(memberId) ?? {},
          userData: Buffer.alloc(0),
        }),
      }))
    },
  })

/** The numbers of each topic that each member gets. */
export const shareByNumber = (
  members: readonly string[],
  topics: readonly { readonly topic: string; readonly numbers: readonly number[] }[],
): ReadonlyMap<string, Record<string, number[]>> => {
  const sorted = members.toSorted()
  const shares = new Map<string, Record<string, number[]>>(sorted.map((member) => [member, {}]))
  if (sorted.length === 0) return shares
  for (const { topic, numbers } of topics)
    for (const number of numbers) {
      const share = shares.get(sorted[number % sorted.length]!)!
      share[topic] = [...(share[topic] ?? []), number]
    }
  return shares
}
