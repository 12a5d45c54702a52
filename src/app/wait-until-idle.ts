import { NotCaughtUp, type Poll, waitUntil } from '../async/wait-until.ts'
import {
  type GroupPosition,
  groupPositions,
  headOf,
  lastFactBehind,
  positionsOf,
  relayPosition,
} from './lags.ts'
import type { System } from './system.ts'

/** Messages lead to events, by reactions to more events, and some of these to more messages: so often it is looked anew. */
const rounds = 5

/**
 * Resolves when all that was on the topics when it was called is handled, and every reaction and view has seen what came
 * of it, but for sinks, whoever does the work: this process or another; a relay that runs has passed it on. What others
 * produce meanwhile is not waited for. Where reactions run on another machine this takes until their leader lease is extended next. Throws
 * `UnavailableError`: `NotCaughtUp` when nothing moves for `patienceMillis`.
 */
export const waitUntilIdle = async (system: System, patienceMillis = 60_000): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const ends = await endsOf(system)
    await waitForAll(system, patienceMillis, async () => {
      const places = await groupPositions(system)
      const handled = places.every((one) => one.committed >= (ends.get(nameOf(one)) ?? 0n))
      return { isDone: handled, mark: places.map(({ committed }) => committed).join() }
    })
    const head = await headOf(system)
    let before: string | undefined
    await waitForAll(system, patienceMillis, async () => {
      const positions = await positionsThatMatter(system)
      const isDone = positions.every((position) => position >= head)
      const mark = positions.join()
      // Nothing is under way any more but checkpoints that rest.
      if (!isDone && mark === before) system.checkpointsAwaited.call()
      before = mark
      return { isDone, mark }
    })
    const more = [...(await endsOf(system))].some(([name, end]) => end > (ends.get(name) ?? 0n))
    if (!more && (await lastFactBehind(system, head)) === undefined) return
  }
}

/** Behind the last record of each partition that a processor reads. */
const endsOf = async (system: System): Promise<ReadonlyMap<string, bigint>> =>
  new Map((await groupPositions(system)).map((one) => [nameOf(one), one.end]))

const positionsThatMatter = async (system: System): Promise<readonly bigint[]> => {
  const relay = await relayPosition(system)
  const parts = (await positionsOf(system)).filter(({ isSink }) => !isSink)
  return [...parts, ...(relay?.running ? [relay] : [])].map(({ position }) => position)
}

const waitForAll = async (
  { clock }: System,
  patienceMillis: number,
  poll: () => Promise<Poll>,
): Promise<void> => {
  const { isDone } = await waitUntil(poll, { clock, patienceMillis })
  if (!isDone)
    throw new NotCaughtUp(
      'the waiting messages are not being handled; is `fonds start` running, and what does its log say?',
    )
}

const nameOf = ({ group, topic, partition }: GroupPosition): string => `${group}/${topic}/${partition}`
