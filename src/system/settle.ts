import { isLeft } from 'fp-ts/lib/Either.js'
import { millisBetween } from '../domain/kernel/time.ts'
import { Away } from '../ports/away.ts'
import type { GroupInfo } from '../ports/broker.ts'
import { projectionsOf, type System } from './system.ts'

/** Messages lead to events, events by reactions to more events: so often the head is asked for anew. */
const rounds = 3
const lookMillis = 5

/**
 * Resolves when all that was on the topics when it was called is handled, and every reaction and view has seen what came
 * of it, whoever does the work: this process or another. What is produced meanwhile is not waited for. Throws `Away`
 * when nothing moves for `patienceMillis`.
 */
export const settle = async (system: System, patienceMillis = 60_000): Promise<void> => {
  const ends = new Map((await partitionsOf(system)).map((one) => [nameOf(one), one.end]))
  await until(system, patienceMillis, async () => {
    const partitions = await partitionsOf(system)
    const handled = partitions.every((one) => one.committed >= (ends.get(nameOf(one)) ?? 0n))
    return { done: handled, mark: partitions.map(({ committed }) => committed).join() }
  })
  for (let round = 0; round < rounds; round++) {
    const head = await system.eventStore.head()()
    if (isLeft(head)) throw new Away(head.left.reason)
    await until(system, patienceMillis, async () => {
      const positions = positionsOf(system)
      return { done: positions.every((position) => position >= head.right), mark: positions.join() }
    })
  }
}

interface Look {
  readonly done: boolean
  /** Changes as long as something moves. */
  readonly mark: string
}

const until = async ({ clock }: System, patienceMillis: number, look: () => Promise<Look>): Promise<void> => {
  let since = clock.now()
  let seen = ''
  for (;;) {
    const { done, mark } = await look()
    if (done) return
    if (mark !== seen) {
      seen = mark
      since = clock.now()
    } else if (millisBetween(since, clock.now()) > patienceMillis)
      throw new Away('what waits is not being handled; is `fonds start` running, and what does its log say?')
    await clock.sleep(lookMillis)
  }
}

type Partition = GroupInfo['partitions'][number]

const nameOf = ({ topic, partition }: Partition): string => `${topic}/${partition}`

const partitionsOf = async ({ broker }: System): Promise<readonly Partition[]> => {
  const groups = await broker.groups()()
  if (isLeft(groups)) throw new Away(`the consumer groups cannot be read: ${JSON.stringify(groups.left)}`)
  return groups.right.flatMap((group) => group.partitions)
}

/** How far each projection and reaction has come. */
const positionsOf = (system: System): readonly bigint[] => {
  const { viewStore, workflows } = system
  const reactions = workflows.flatMap((workflow) => workflow.reactions(system))
  return [...projectionsOf(workflows), ...reactions].map(({ name }) => {
    const live = viewStore.live(name)
    return live ? viewStore.checkpoint(live).position : -1n
  })
}
