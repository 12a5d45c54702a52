import kafkajs, { type PartitionAssigner } from 'kafkajs'

/**
 * Gives all partitions of one number, of whatever topic, to one member: the same key has the same number on every topic
 * of a group, so what is said of one thing on several topics meets in one process, which then writes its stream alone.
 */
export const byNumber: PartitionAssigner = ({ cluster }) => ({
  name: 'fonds-by-number',
  version: 0,
  protocol({ topics }) {
    const { MemberMetadata } = kafkajs.AssignerProtocol
    const metadata = MemberMetadata.encode({ version: this.version, topics, userData: Buffer.alloc(0) })
    return { name: this.name, metadata }
  },
  assign({ members, topics }) {
    const partitions = topics.map((topic) => ({
      topic,
      numbers: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId),
    }))
    const shares = shareByNumber(
      members.map(({ memberId }) => memberId),
      partitions,
    )
    const { MemberAssignment } = kafkajs.AssignerProtocol
    return Promise.resolve(
      [...shares].map(([memberId, assignment]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: this.version,
          assignment,
          userData: Buffer.alloc(0),
        }),
      })),
    )
  },
})

/** The numbers of each topic that each member gets. */
export const shareByNumber = (
  members: readonly string[],
  topics: readonly { readonly topic: string; readonly numbers: readonly number[] }[],
): ReadonlyMap<string, Record<string, number[]>> => {
  const sorted = members.toSorted()
  const shares = new Map<string, Record<string, number[]>>(sorted.map((member) => [member, {}]))
  for (const { topic, numbers } of topics)
    for (const number of numbers) {
      const share = shares.get(sorted[number % sorted.length]!)!
      share[topic] = [...(share[topic] ?? []), number]
    }
  return shares
}
