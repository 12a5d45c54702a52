export interface Subscriber {
  readonly member: string
  readonly topics: ReadonlySet<number>
}

interface Assignable {
  readonly partition: number
  readonly topic: number
  /** The member that reads it now. */
  readonly owner: string | null
}

/**
 * Which member should read which partition: shared evenly, with as few changes of owner as possible. A pure function of
 * the group's rows, so every member computes the same. Partitions of topics that nobody reads are left out.
 */
export const assign = (
  partitions: readonly Assignable[],
  subscribers: readonly Subscriber[],
): ReadonlyMap<number, string> => {
  const target = new Map<number, string>()
  const load = new Map(subscribers.map(({ member }) => [member, 0]))
  const loadOf = (member: string): number => load.get(member)!
  const readersOf = (topic: number): string[] =>
    subscribers.filter((one) => one.topics.has(topic)).map((one) => one.member)
  const leastLoaded = (members: readonly string[]): string | undefined =>
    members.length === 0 ? undefined : members.reduce((a, b) => (loadOf(b) < loadOf(a) ? b : a))
  const give = (partition: number, member: string): void => {
    const before = target.get(partition)
    if (before !== undefined) load.set(before, loadOf(before) - 1)
    target.set(partition, member)
    load.set(member, loadOf(member) + 1)
  }

  for (const { partition, topic, owner } of partitions)
    if (owner !== null && readersOf(topic).includes(owner)) give(partition, owner)

  for (const { partition, topic } of partitions) {
    const reader = target.has(partition) ? undefined : leastLoaded(readersOf(topic))
    if (reader !== undefined) give(partition, reader)
  }

  // From the most loaded member to the least, so that nothing moves twice. Each move makes two loads more even, so this ends.
  for (;;) {
    let widest = 1
    let move: { partition: number; to: string } | undefined
    for (const { partition, topic } of partitions) {
      const from = target.get(partition)
      const to = leastLoaded(readersOf(topic))
      if (from === undefined || to === undefined || loadOf(from) - loadOf(to) <= widest) continue
      widest = loadOf(from) - loadOf(to)
      move = { partition, to }
    }
    if (!move) return target
    give(move.partition, move.to)
  }
}
