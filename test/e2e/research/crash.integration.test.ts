import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { talk, wav } from '../../../src/cli/demo/sound.ts'
import { progress } from '../../../src/projections/research/questions/progress.ts'
import { everything } from '../crash/expectations.ts'
import { tellFigures } from '../crash/figures.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { ask, launch, type Started, stop, until } from '../run-fonds.ts'
import { ids, shortLeases } from './curating.ts'
import type { Curating } from './curator.ts'
import { expectEffectsOnce, itemsOn } from './effects.ts'
import { expectAllResearched } from './expectations.ts'
import { putBy, useHome } from './world.ts'

/* All parts of research at work, and all of them killed at random moments. */

const rounds = roundsOr(5)
const episodes = ids('e', 10)
const clips = ids('c', 24)

it('killed at any moment: each message has its effect once, no pair is under two leases, every pair is researched once', async () => {
  const { seed, chance } = useSeed()
  const { home, folder, system, node, worker, outside, lives, soundLives } = await useHome({
    ...shortLeases,
    maxClips: 4,
  })
  const media = join(folder, 'media')
  mkdirSync(media)
  const sounds = (some: readonly string[], seconds: number) => {
    for (const id of some)
      writeFileSync(join(media, `${id}.wav`), wav(talk(seconds, id.charCodeAt(0) + Number(id.slice(1)))))
  }
  sounds(episodes, 6)
  sounds(clips, 1)

  const acknowledged = new Set<string>()
  let started = 0
  const curating = (): Started => {
    const what: Curating = { home, seed: ++started, episodes, clips, media: `${pathToFileURL(media)}/` }
    return launch(process.execPath, [join(import.meta.dirname, 'curator.ts'), JSON.stringify(what)])
  }
  const listener = (researcher: string) => () =>
    outside({ researcher, gapMillis: 30, chaos: seed + ++started })
  const kinds: readonly (() => Started)[] = [
    () => node(),
    () => node(),
    worker,
    worker,
    curating,
    listener('one'),
    listener('two'),
  ]
  const live = kinds.map((start) => start())
  let kills = 0
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, 500 + chance() * 2000))
    for (const [i, kind] of kinds.entries()) {
      if (chance() < 0.5) continue
      live[i]!.child.kill('SIGKILL')
      await live[i]!.exit
      kills++
      for (const place of putBy(live[i]!)) acknowledged.add(place)
      live[i] = kind()
    }
  }
  expect(await live[4]!.exit).toBe(0)
  await until(
    'all pairs are researched',
    async () => (await lives()).researched.size === episodes.length * clips.length,
  )
  for (const each of live.slice(5)) {
    each.child.kill('SIGKILL')
    await each.exit
  }
  for (const each of live) for (const place of putBy(each)) acknowledged.add(place)
  const [workers, nodes] = [live.slice(2, 4), live.slice(0, 2)]
  const said = (some: readonly Started[]) => some.map(({ stderr }) => stderr()).join('\n')
  expect(await Promise.all(workers.map(stop)), said(workers)).toEqual([0, 0])
  await waitUntilIdle(system)
  expect(await Promise.all(nodes.map(stop)), said(nodes)).toEqual([0, 0])

  const found = await soundLives()
  expectAllResearched(found, episodes, clips)
  const events = await everything(system)
  const { messages, again } = await expectEffectsOnce(system, events, acknowledged)
  const items = await itemsOn(system)
  const leases = new Set(items.map(({ lease }) => lease))
  expect([...leases].filter((lease) => !found.leases.has(lease))).toEqual([])
  console.log(
    `${events.length} events of ${messages} messages, ${again} of them put twice; ${found.leases.size} leases; ` +
      `${items.length - leases.size} items sent twice; ${found.late} late results, ${found.repeats} repeated`,
  )
  expect(again).toBeGreaterThan(0)

  const pairs = episodes.length * clips.length
  expect(progress(system.viewStore, system.clock.now())).toMatchObject({ pairs, researched: pairs })
  expect(system.viewStore.query('dead-letters', {})).toEqual([])
  const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
  expect(verdicts.filter(({ verdict }) => verdict !== 'equal')).toEqual([])
  tellFigures(seed, { kills, acknowledged: acknowledged.size })
})
