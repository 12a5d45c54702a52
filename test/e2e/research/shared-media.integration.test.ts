import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rate, talk, wav } from '../../../src/cli/demo/sound.ts'
import { type Line, stop, until } from '../run-fonds.ts'
import { curate, ids, sighting } from './curating.ts'
import { expectAllResearched, pairName } from './expectations.ts'
import { serveMedia } from './media-server.ts'
import { useHome } from './world.ts'

/* Several researchers, each a process, that keep their media in one folder. */

const sounds = { one: talk(20, 7), other: talk(15, 9) }
const cut = (sound: Float32Array, from: number) => sound.slice(from * rate, (from + 1) * rate)
/** The third is in neither. */
const clipSounds = [cut(sounds.one, 3), cut(sounds.one, 11.5), talk(1, 99), cut(sounds.other, 6)]
const places = { one: [[3], [11.5], [], []], other: [[], [], [], [6]] }
const mediaOf = { e000: 'one', e001: 'one', e002: 'other', e003: 'other' } as const
const episodes = ids('e', 4)
const clips = ids('c', 4)

it('one is killed while it downloads what others download, too: nobody is harmed, nothing is broken, each place is right', async () => {
  const { system, home, node, worker, lives, soundLives } = await useHome({ maxClips: 2 })
  const bodies = { one: wav(sounds.one), other: wav(sounds.other) }
  const media = await serveMedia({
    ...Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { body }])),
    ...Object.fromEntries(clips.map((id, n) => [id, { body: wav(clipSounds[n]!) }])),
  })
  await curate(system, {
    episodes: Object.entries(mediaOf).map(([id, name]) => sighting(id, { mediaUri: media.uri(name) })),
    clips: clips.map((id) => sighting(id, { mediaUri: media.uri(id) })),
  })
  media.hold('one', bodies.one.length / 2)
  const running = node()
  const [victim, survivor] = [worker(), worker()]
  const folder = join(home, 'media')
  const parts = () => readdirSync(folder).filter((name) => name.endsWith('.part'))
  await media.isAskedFor('one', 2)
  const half = (name: string) => statSync(join(folder, name)).size === bodies.one.length / 2
  await until('both have half of it', () => parts().length === 2 && parts().every(half))
  victim.child.kill('SIGKILL')
  await victim.exit
  media.letGo('one')
  const third = worker()
  await until(
    'all pairs are researched',
    async () => (await lives()).researched.size === episodes.length * clips.length,
  )
  expect(await Promise.all([survivor, third, running].map(stop))).toEqual([0, 0, 0])

  const found = await soundLives()
  expectAllResearched(found, episodes, clips)
  expect(found.repeats).toBe(0)
  for (const [episode, name] of Object.entries(mediaOf))
    for (const [n, clip] of clips.entries()) {
      const { matches, episodeHash } = found.researched.get(pairName(episode, clip))!
      expect(matches.map(({ offset }) => offset / 1e9)).toEqual(
        places[name][n]!.map((place) => expect.closeTo(place, 1)),
      )
      expect(episodeHash).toBe(createHash('sha256').update(bodies[name]).digest('hex'))
    }
  // Each process fetches it once at most, however many episodes and items it is for.
  expect(media.times('one')).toBeLessThanOrEqual(3)
  expect(media.times('other')).toBeLessThanOrEqual(2)

  const names = readdirSync(folder)
  const kept: readonly Line[] = names
    .filter((name) => /^[0-9a-f]+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  expect(kept).toHaveLength(2 + clips.length)
  for (const { pcm, samples } of kept) expect(statSync(join(folder, pcm)).size).toBe(2 * samples)
  // What the killed one left is gone on with by the next that wants it, or removed in time.
  expect(parts()).toHaveLength(1)
  expect(names.filter((name) => name.endsWith('.new'))).toEqual([])
})
