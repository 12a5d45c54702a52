import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { partitionOf } from '../../../infra/broker/partitioner.ts'
import type { System } from '../../../src/app/system.ts'
import { leaderEvents, leaderStream, reactionsLease } from '../../../src/domain/kernel/leader-lease.ts'
import type { Policy } from '../../../src/domain/research/policy/policy.ts'
import { resultsTopic } from '../../../src/domain/research/result-messages.ts'
import { everything, expectSoundLog } from '../crash/expectations.ts'
import { openHome } from '../open-home.ts'
import { launch, type Started, start, until, useFolder } from '../run-fonds.ts'
import { setPolicy, shortLeases } from './curating.ts'
import { itemsOn } from './effects.ts'
import { type Life, type Lives, livesOf } from './expectations.ts'
import type { Ways } from './outside-researcher.ts'

/* A home, the processes that work on it, and what its log tells of them. */

export const useHome = async (policy: Partial<Policy> = {}) => {
  const { home, folder } = useFolder()
  const system = await openHome(home)
  onTestFinished(() => system.close())
  await setPolicy(system, { ...shortLeases, ...policy })

  const lives = async (): Promise<Lives> => livesOf(await everything(system))
  return {
    home,
    folder,
    system,
    /** What hands out work and takes results in, but does not listen. */
    node: (roles = 'processors,reactions,projections'): Started =>
      start(['start', '--roles', roles, '--port', '0'], { home, env: quickly }),
    worker: (env: Readonly<Record<string, string>> = {}): Started =>
      start(['worker', 'researcher'], {
        home,
        env: { FONDS_HANDS: '1', FONDS_THREADS: '2', ...quickly, ...env },
      }),
    intake: (): Started => launch(process.execPath, [join(import.meta.dirname, 'intake.ts'), home]),
    /** Which of these takes in what is said of an episode now. */
    owner: async <P extends Started>(intakes: readonly P[], episode: string): Promise<P | undefined> => {
      const groups = await system.broker.groups()()
      if (isLeft(groups)) return undefined
      const partition = partitionOf(episode, system.config.partitions)
      const place = groups.right
        .flatMap(({ partitions }) => partitions)
        .find((one) => one.topic === resultsTopic.name && one.partition === partition)
      return intakes.find(({ child }) => place?.member?.includes(`-${child.pid}-`))
    },
    outside: (ways: Omit<Ways, 'home'>): Started => outside({ home, ...ways }),
    lives,
    /** The log, which breaks no rule. */
    soundLives: async (): Promise<Lives> => {
      const events = await everything(system)
      expectSoundLog(events)
      return livesOf(events)
    },
    lease: (what: string, condition: (life: Life) => boolean, seconds = 30): Promise<Life> =>
      until(what, async () => [...(await lives()).leases.values()].find(condition), seconds),
    item: () => until('an item is on the topic', async () => (await itemsOn(system))[0]),
  }
}

const quickly = { FONDS_DUTY_SECONDS: '2', FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' }

export const outside = (ways: Ways): Started =>
  launch(process.execPath, [join(import.meta.dirname, 'outside-researcher.ts'), JSON.stringify(ways)])

/** Waits for a line that an outside researcher tells. */
export const tells = (researcher: Started, line: string | RegExp): Promise<unknown> =>
  until(`it tells ${line}`, () => researcher.stdout().match(line) ?? undefined)

/** The places of the messages that it knows to be kept. */
export const putBy = (researcher: Started): readonly string[] =>
  [...researcher.stdout().matchAll(/^put (.*)$/gm)].map(([, place]) => place!)

/** The process that hands out work now, of these. */
export const onDuty = async <P extends Started>(
  { eventStore }: System,
  processes: readonly P[],
): Promise<P | undefined> => {
  const read = await eventStore.read(leaderStream(reactionsLease), 'end', 'backward', 1)()
  const last = isLeft(read) ? undefined : read.right[0]
  const event = last && leaderEvents.read(last)
  if (!event || isLeft(event) || event.right.type === 'DutyLeft') return undefined
  const { holder } = event.right.data
  return processes.find(({ child }) => holder.includes(`/${child.pid}/`))
}
