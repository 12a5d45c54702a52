import { v4 as uuid } from 'uuid'
import { expect, it } from 'vitest'
import { lastFactBehind } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { workItemsTopic } from '../../../src/domain/research/work-item.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { useSeed } from '../../e2e/crash/seed.ts'
import { curate, ids, setPolicy, sighting } from '../../e2e/research/curating.ts'
import { expectEffectsOnce, itemsOn } from '../../e2e/research/effects.ts'
import { expectAllResearched, livesOf } from '../../e2e/research/expectations.ts'
import { onDuty, outside, putBy } from '../../e2e/research/world.ts'
import { type Started, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import {
  areHandled,
  contentOf,
  haveReached,
  isAtWork,
  observe,
  startNode,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

/* Research on three machines; researchers that are none of ours share the items in a consumer group of their own. */

const kafka = server('kafka')
const partitions = 6
const episodes = ids('e', 8)
const clips = ids('c', 24)
const rounds = 3

it.skipIf('absent' in kafka)(
  'research on Kafka and a log that another keeps: nodes are killed and hang, each pair is leased to one and researched once',
  async () => {
    const { seed, chance } = useSeed()
    const keeper = await useLogKeeper()
    const settings = {
      broker: `kafka://${'absent' in kafka ? '' : kafka.address}`,
      topicPrefix: `${uuid()}-`,
      eventStore: keeper.address,
      partitions,
    }
    const system = await observe(settings)
    await setPolicy(system, {
      leaseSeconds: 6,
      itemSeconds: 4,
      gapSeconds: 1,
      presenceSeconds: 4,
      maxClips: 5,
      // Kills are no fault of the work: none is parked for them.
      attempts: 100,
    })

    const homes = Array.from({ length: 3 }, () => useFolder().home)
    const live = homes.map((home) => startNode(home, settings))
    const researchers = ids('r', 3).map((researcher, n) =>
      outside({
        home: useFolder().home,
        researcher,
        settings,
        sessionMillis: 6000,
        gapMillis: 40,
        ...(n > 0 && { chaos: seed + n }),
      }),
    )
    await until('all at work', () => live.every(isAtWork) && researchers.every(isListening))
    await curate(system, { episodes: episodes.map((id) => sighting(id)) })

    const lives = async () => livesOf(await everything(system))
    for (let round = 0; round < rounds; round++) {
      // New clips open every episode anew.
      const some = clips.slice((round * clips.length) / rounds, ((round + 1) * clips.length) / rounds)
      await curate(system, { clips: some.map((id) => sighting(id)) })
      await moment(chance() * 1000)
      if (round % 2) {
        const sleeper = await until('somebody is on duty', () => onDuty(system, live))
        sleeper.child.kill('SIGSTOP')
        await until('another took over', async () => {
          const other = await onDuty(system, live)
          return other && other !== sleeper
        })
        sleeper.child.kill('SIGCONT')
      } else {
        const victim = Math.floor(chance() * live.length)
        live[victim]!.child.kill('SIGKILL')
        await live[victim]!.exit
        live[victim] = startNode(homes[victim]!, settings)
      }
      if (round === 1) researchers[2]!.child.kill('SIGKILL')
    }
    const pairs = episodes.length * clips.length
    await until('all pairs are researched', async () => (await lives()).researched.size === pairs)

    // An outside consumer group shared the items.
    const groups = await system.broker.groups()()
    const group = groups._tag === 'Right' && groups.right.find((one) => one.group === 'outside-researchers')
    expect(group && new Set(group.partitions.map(({ topic }) => topic))).toEqual(
      new Set([workItemsTopic.name]),
    )
    for (const { child, exit } of researchers) {
      child.kill('SIGKILL')
      await exit
    }
    const views = homes.map(viewsOf)
    await until('all is handled, all leases have ended, and every view shows it', () =>
      isAtRest(system, views),
    )
    expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))

    const events = await everything(system)
    expectSoundLog(events)
    const found = livesOf(events)
    expectAllResearched(found, episodes, clips)
    const { messages, again } = await expectEffectsOnce(system, events, researchers.flatMap(putBy))
    const items = await itemsOn(system)
    const leases = new Set(items.map(({ lease }) => lease))
    expect([...leases].filter((lease) => !found.leases.has(lease))).toEqual([])
    console.log(
      `${events.length} events of ${messages} messages, ${again} of them put twice; ${found.leases.size} leases; ` +
        `${items.length - leases.size} items sent twice; ${found.late} late results, ${found.repeats} repeated`,
    )
    for (const each of views) expect(each.query('dead-letters', {})).toEqual([])
    expect(views[0]!.tally('research-episode-results', { by: ['researched'] })).toEqual([
      { researched: clips.length, count: episodes.length },
    ])
    tellFigures(seed, { kills: Math.ceil(rounds / 2) + researchers.length, acknowledged: messages })
  },
)

const moment = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const isListening = (researcher: Started): boolean => researcher.stdout().includes('listening')

/** Time has ended what it ends, and all nodes show the same: what the last of them has told, too. */
const isAtRest = async (system: System, views: readonly ViewStore[]): Promise<boolean> => {
  const head = await lastFactBehind(system, -1n)
  if (head === undefined || !(await areHandled(system))) return false
  if (!views.every((each) => haveReached(system, each, head) && isOver(each))) return false
  const [first, ...others] = views.map((each) => JSON.stringify(contentOf(each)))
  return others.every((other) => other === first)
}

const isOver = (views: ViewStore): boolean =>
  views.query('research-leases', {}).every(({ state }) => state === 'ended') &&
  views.query('research-researchers', {}).every(({ goneAt }) => goneAt !== null)
