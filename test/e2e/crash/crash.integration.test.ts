import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { askCommand } from '../../../src/cli/ask-command.ts'
import { projectionsOf } from '../../../src/workflows/workflow-model.ts'
import { writeContent } from '../archive.ts'
import { openHome } from '../open-home.ts'
import { addsUp, ask, launch, start, stop, until, useFolder } from '../run-fonds.ts'
import {
  type Acknowledged,
  everything,
  expectEffects,
  expectOrder,
  expectSoundLog,
  readAcknowledged,
} from './expectations.ts'
import { tellFigures } from './figures.ts'
import { roundsOr, useSeed } from './seed.ts'
import { fileName, files, messagesInAll } from './traffic.ts'

/*
 * Processes are killed at random moments, in the middle of whatever they do. Afterwards every message that was
 * acknowledged must have had its effect, once.
 */

const rounds = roundsOr(5)

it('killed at any moment: every acknowledged message has its effect once, in order, and the views are what the log says', async () => {
  const { seed, chance } = useSeed()
  const { home, root } = useFolder()
  for (let n = 0; n < files; n++) writeContent(root, fileName(n), fileName(n))
  const system = await openHome(home)
  await ensureTopics(system)
  const by = { actor: 'test', reason: 'test' }
  for (const store of [
    { store: 'folder', root },
    { store: 'elsewhere', kind: 'external' },
  ])
    await askCommand(system, 'fixity.register-store', { ...store, lagSeconds: 0 }, by)

  const acknowledged: Acknowledged = new Map()
  const work = () => launch(process.execPath, [join(import.meta.dirname, 'at-work.ts'), home])
  const produce = (from: number) =>
    launch(process.execPath, [
      join(import.meta.dirname, 'producing.ts'),
      home,
      String(from),
      String(messagesInAll),
    ])

  let producer = produce(0)
  const workers = [work()]
  let kills = 0
  for (let round = 1; round <= rounds; round++) {
    // Now one process at work, now two.
    if (chance() < 0.4) workers.push(work())
    // Mostly at work, sometimes while it starts.
    if (chance() < 0.8) await until('work', () => workers.some((one) => one.stderr().includes('at work')))
    await new Promise((resolve) => setTimeout(resolve, 200 + chance() * 2500))
    const victims = workers.splice(0, chance() < 0.5 ? workers.length : 1)
    const alsoProducer = round % 2 === 0
    for (const victim of alsoProducer ? [...victims, producer] : victims) victim.child.kill('SIGKILL')
    await Promise.all(victims.map(({ exit }) => exit))
    kills += victims.length + (alsoProducer ? 1 : 0)
    if (alsoProducer) {
      await producer.exit
      readAcknowledged(producer, acknowledged)
      const from = acknowledged.size === 0 ? 0 : Math.max(...acknowledged.keys()) + 1
      producer = produce(Math.max(0, from - Math.ceil(chance() * 200)))
    }
    if (workers.length === 0) workers.push(work())
    // Reactions get something to be killed in: each item below the prefix is asked for.
    if (round % 3 === 0)
      await askCommand(system, 'fixity.check-store', { store: 'folder', prefix: 'box 1' }, by)
  }
  expect(await producer.exit).toBe(0)
  readAcknowledged(producer, acknowledged)
  for (const { child } of workers) child.kill('SIGKILL')

  const server = start(['start', '--roles', 'processors,reactions,projections,workers'], {
    home,
    env: { FONDS_CLAIM_SECONDS: '3', FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' },
  })
  // The killed ones may have left nothing to do: a signal before this line would end the server by itself.
  await server.says('Ctrl-C stops')
  await until('everything is handled', () => isSettled(system))
  expect(await stop(server)).toBe(0)
  expect(server.stderr()).not.toContain('"level":50')

  const events = await everything(system)
  const again = [...acknowledged.values()].filter(({ size }) => size > 1).length
  const expired = events.filter(({ type }) => type === 'ClaimExpired').length
  console.log(`${events.length} events; ${again} messages sent again; ${expired} claims of killed workers`)
  expect(again).toBeGreaterThan(0)
  expectSoundLog(events)
  await expectEffects(system, events, acknowledged, messagesInAll)
  expectOrder(events)
  await expectViews(system, home)
  await system.close()
  tellFigures(seed, { kills, acknowledged: acknowledged.size })
})

/** Some check is claimed. */
const held = (viewStore: System['viewStore']): boolean =>
  ['fixity-claims', 'fixity-batches'].some((view) => viewStore.query(view, { limit: 1 }).length > 0)

/** Nothing waits: no message, no view, no check that is due, no claim. */
const isSettled = async ({ broker, eventStore, viewStore, workflows, clock }: System): Promise<boolean> => {
  const groups = await broker.groups()()
  const head = await eventStore.head()()
  if (isLeft(groups) || isLeft(head)) return false
  const waiting = groups.right.flatMap(({ partitions }) => partitions).some(({ lag }) => lag > 0n)
  const behind = projectionsOf(workflows).some(({ name }) => {
    const live = viewStore.live(name)
    return !live || viewStore.checkpoint(live).position < head.right
  })
  if (waiting || behind || held(viewStore)) return false
  const due = { column: 'available', is: '<=', value: clock.now() } as const
  const ours = { column: 'store', is: '=', value: 'folder' } as const
  return viewStore.query('fixity-items', { where: [ours, due], limit: 1 }).length === 0
}

const expectViews = async (system: System, home: string): Promise<void> => {
  const report = await ask(['fixity', 'report'], { home })
  expect(report.every(addsUp)).toBe(true)
  const folder = report.find(({ store, prefix }) => store === 'folder' && prefix === '(all)')
  // A file whose check was killed three times waits for a person, as it must.
  expect(folder).toMatchObject({ expected: files, failed: 0, unverified: 0, unchecked: 0, late: 0 })
  expect(folder.verified + folder.baselined + folder.parked).toBe(files)
  expect(held(system.viewStore)).toBe(false)
  const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
  expect(verdicts.map(({ verdict, differences }) => ({ verdict, differences }))).toEqual(
    verdicts.map(() => ({ verdict: 'equal', differences: [] })),
  )
}
