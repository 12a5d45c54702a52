import { describe, expect, it } from 'vitest'
import { talk, wav } from '../../../src/cli/demo/sound.ts'
import { resultsTopic } from '../../../src/domain/research/result-messages.ts'
import { workItemsTopic } from '../../../src/domain/research/work-item.ts'
import { reportOnTopic } from '../../../src/workers/runtime/report-on-topic.ts'
import { limits } from '../../patience.ts'
import { everything } from '../crash/expectations.ts'
import { ask, type Line, startServer, stop, until } from '../run-fonds.ts'
import { clipResult, curate, ids, sighting } from './curating.ts'
import { expectEffectsOnce, itemsOn, recordsOn } from './effects.ts'
import { expectAllResearched } from './expectations.ts'
import { freeze, thaw } from './freeze.ts'
import { serveMedia } from './media-server.ts'
import { onDuty, tells, useHome } from './world.ts'

/* The stories that the rules of leases are made for, told by processes that hang, die and come back. */

const curateAll = (
  system: Parameters<typeof curate>[0],
  episodes: readonly string[],
  clips: readonly string[],
) => curate(system, { episodes: episodes.map((id) => sighting(id)), clips: clips.map((id) => sighting(id)) })

/** An episode and three clips as sound, of which those that are held do not come. */
const soundArchive = async (system: Parameters<typeof curate>[0]) => {
  const names = ['tune', 'call', 'laugh']
  const sounds = Object.fromEntries(names.map((name, n) => [name, { body: wav(talk(1, 20 + n)) }]))
  const media = await serveMedia({ show: { body: wav(talk(10, 7)) }, ...sounds })
  await curate(system, {
    episodes: [sighting('show', { mediaUri: media.uri('show') })],
    // In this order: the later date first.
    clips: names.map((name, n) =>
      sighting(name, { mediaUri: media.uri(name), curatedAt: `2026-01-0${9 - n}T00:00:00.000Z` }),
    ),
  })
  return { media, names }
}

describe('a researcher that hangs', () => {
  it(
    'F8, L37, L38: comes back late: its results are kept, and the lease that others have meanwhile is untouched',
    limits,
    async () => {
      const { system, home, node, outside, lease, soundLives } = await useHome({ maxClips: 12 })
      const clips = ids('c', 12)
      await curateAll(system, ['e'], clips)
      const running = node()
      const sleeper = outside({ researcher: 'sleeper', gapMillis: 100, most: 1 })
      await tells(sleeper, 'reported 3')
      // On a slow machine the lease may run out before they are taken in: then they are late, too.
      await lease('three are taken in', ({ results, ended }) => results.length >= 3 || ended !== undefined)
      await freeze(sleeper, home)
      const first = await lease('the first lease has run out', ({ ended }) => ended === 'expired')
      const before = first.results.length

      const other = outside({
        researcher: 'other',
        gapMillis: 150,
        group: 'others',
        not: [first.granted.lease],
      })
      await tells(other, 'reported 2')
      thaw(sleeper)
      await tells(sleeper, `done ${first.granted.lease}`)
      await tells(other, 'done')
      const second = await lease(
        'the lease of the other is finished',
        ({ holder, ended }) => holder === 'other' && ended === 'final',
      )
      const lives = await until('all is taken in', async () => {
        const now = await soundLives()
        return now.late === clips.length - before && now
      })
      // L39: the last of them was a final one, which ended no other lease.
      expect(second.results).toEqual(second.granted.clips)
      expect(lives.leases.get(first.granted.lease)?.ended).toBe('expired')
      expectAllResearched(lives, ['e'], clips)
      const said = await ask(['research', 'anomalies'], { home })
      expect(said).toContainEqual(
        expect.objectContaining({ kind: 'late', lease: first.granted.lease, times: clips.length - before }),
      )
      expect(await stop(running)).toBe(0)
    },
  )

  it('F7, F8: of ours, too: it gives up what is no more its own', limits, async () => {
    const { system, home, node, worker, lease, soundLives } = await useHome()
    const { media, names } = await soundArchive(system)
    media.hold('call')
    const running = node()
    const sleeper = worker()
    await lease('one clip is done', ({ results }) => results.length > 0)
    await media.isAskedFor('call')
    await freeze(sleeper, home)
    const first = await lease('the first lease has run out', ({ ended }) => ended === 'expired')
    const other = worker()
    const second = await lease(
      'another has the rest',
      ({ holder, granted }) => holder !== undefined && granted.lease !== first.granted.lease,
    )
    expect(second.granted.clips).toEqual(first.granted.clips.filter((clip) => !first.results.includes(clip)))
    thaw(sleeper)
    media.letGo('call')
    await lease(
      'it is finished',
      ({ granted, ended }) => granted.lease === second.granted.lease && ended === 'final',
    )
    expect(await Promise.all([stop(sleeper), stop(other)])).toEqual([0, 0])
    const lives = await soundLives()
    expectAllResearched(lives, ['show'], names)
    expect(await stop(running)).toBe(0)
  })
})

describe('results and finals', () => {
  it(
    'F9, L40: two intakes, of which the one at work hangs: stragglers are kept, the lease stays ended, nothing comes twice',
    limits,
    async () => {
      const { system, node, home, intake, owner, lives, item, soundLives } = await useHome({
        leaseSeconds: 60,
        itemSeconds: 30,
        maxClips: 90,
      })
      const clips = ids('c', 90)
      node('reactions,projections')
      const intakes = [intake(), intake()]
      await Promise.all(intakes.map(({ says }) => says('at work')))
      await curateAll(system, ['e'], clips)
      const { lease } = await item()
      // The final is in the second of three waves.
      for (const wave of [0, 1, 2]) {
        const reports = clips.slice(30 * wave, 30 * (wave + 1)).map((clip, n) => ({
          type: 'clip.researched',
          data: clipResult({ episode: 'e', clip, researcher: 'r', lease, final: wave === 1 && n === 10 }),
        }))
        for (let from = 0; from < reports.length; from += 10)
          await reportOnTopic(system, resultsTopic, 'urn:r', reports.slice(from, from + 10))
        const sleeper = await until('somebody takes results in', () => owner(intakes, 'e'))
        await freeze(sleeper, home)
        await until(
          'all of the wave is taken in',
          async () => (await lives()).researched.size === 30 * (wave + 1),
        )
        thaw(sleeper)
      }
      const found = await soundLives()
      expectAllResearched(found, ['e'], clips)
      expect(found.leases.get(lease)).toMatchObject({ ended: 'final', results: clips })
      expect([found.repeats, found.late]).toEqual([0, 49])
      await expectEffectsOnce(system, await everything(system), [])
    },
  )

  it(
    'F7, L41: the final never comes: the lease runs out, and the open pairs are offered again',
    limits,
    async () => {
      const { system, node, worker, lease, soundLives } = await useHome()
      const { media, names } = await soundArchive(system)
      media.hold('laugh')
      const running = node()
      const victim = worker()
      const first = await lease('two clips are done', ({ results }) => results.length === 2)
      victim.child.kill('SIGKILL')
      await victim.exit
      media.letGo('laugh')
      const other = worker()
      const second = await lease(
        'the rest is done',
        ({ granted, ended }) => granted.lease !== first.granted.lease && ended === 'final',
      )
      expect(second.granted.clips).toEqual(['laugh'])
      expect(second.granted.at >= first.deadline).toBe(true)
      expect(await stop(other)).toBe(0)
      const lives = await soundLives()
      expectAllResearched(lives, ['show'], names)
      expect([lives.repeats, lives.leases.get(first.granted.lease)?.ended]).toEqual([0, 'expired'])
      // L30: the episode lay there already.
      expect(media.times('show')).toBe(1)
      expect(await stop(running)).toBe(0)
    },
  )
})

describe('a researcher that is asked to stop', () => {
  it('F16: gives back an item of which nothing is done: its pairs are free at once', limits, async () => {
    const { system, node, worker, lease, soundLives, home } = await useHome({
      leaseSeconds: 3600,
      itemSeconds: 1800,
    })
    const { media, names } = await soundArchive(system)
    media.hold('show')
    node()
    const first = worker()
    await media.isAskedFor('show')
    expect(await stop(first)).toBe(0)
    await lease('it was given back', ({ ended }) => ended === 'released')
    const [told] = await ask(['research', 'researchers'], { home })
    expect(told).toMatchObject({ state: 'gone' })

    media.letGo('show')
    const second = worker()
    await lease('all is done', ({ ended }) => ended === 'final')
    expect(await stop(second)).toBe(0)
    expectAllResearched(await soundLives(), ['show'], names)
  })

  it(
    'L35, F17: in the midst of an item: what is done is reported, what is open is free at once',
    limits,
    async () => {
      const { system, node, worker, lease, soundLives } = await useHome({
        leaseSeconds: 3600,
        itemSeconds: 1800,
      })
      const { media, names } = await soundArchive(system)
      media.hold('call')
      node()
      const first = worker()
      await lease('two clips are done', ({ results }) => results.length === 2)
      expect(await stop(first)).toBe(0)
      const ended = await lease('its lease has ended', (life) => life.ended !== undefined)
      expect(ended.ended).toMatch(/released|final/)
      media.letGo('call')
      const second = worker()
      const rest = await lease(
        'the rest is done',
        ({ granted, ended: how }) => granted.lease !== ended.granted.lease && how === 'final',
      )
      expect(rest.granted.clips).toEqual(['call'])
      expect(await stop(second)).toBe(0)
      const lives = await soundLives()
      expectAllResearched(lives, ['show'], names)
      expect([lives.repeats, lives.late]).toEqual([0, 0])
    },
  )
})

describe('what hands out work', () => {
  it(
    'F3, L25: killed between the grant and the item: sent after the restart while it can be taken, else leased anew',
    limits,
    async () => {
      const { system, home, node, lease, soundLives } = await useHome({ leaseSeconds: 20, itemSeconds: 15 })
      await curateAll(system, ['e'], ids('c', 3))
      // Items need the views; without them grants go on, and items wait.
      const killed = node('processors,reactions')
      const granted = await lease('a lease is granted', () => true)
      killed.child.kill('SIGKILL')
      await killed.exit
      expect(await itemsOn(system)).toEqual([])

      const server = await startServer({ home }, ['--roles', 'api,processors,reactions,projections'])
      const item = await until('the item is sent', async () => (await itemsOn(system))[0])
      const { lease: id, clips, notAfter } = granted.granted
      expect(item).toMatchObject({ lease: id, notAfter, clips: clips.map((clip) => ({ id: clip })) })
      const take = async (researcher: string) => {
        const answer = await fetch(`${server.address}/api/v1/research/items/take`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ researcher }),
        })
        return { status: answer.status, body: (await answer.json()) as Line }
      }
      expect(await take('one')).toMatchObject({ status: 200, body: { lease: id, episode: { id: 'e' } } })
      expect(await take('other')).toMatchObject({ status: 404, body: { code: 'no-item' } })
      expect(await stop(server)).toBe(0)
      expect((await itemsOn(system)).length).toBe(1)
      await soundLives()
    },
  )

  it(
    'F3, F4: an item that could not be sent in its time is never sent; its pairs are leased again',
    limits,
    async () => {
      const { system, node, lease, item, soundLives } = await useHome()
      await curateAll(system, ['e'], ids('c', 3))
      const killed = node('processors,reactions')
      const stale = await lease('a lease is granted', () => true)
      killed.child.kill('SIGKILL')
      await killed.exit
      await until('its item is stale', () => system.clock.now() >= stale.granted.notAfter)
      const running = node()
      const sent = await item()
      expect(sent.lease).not.toBe(stale.granted.lease)
      const lives = await soundLives()
      expect(lives.leases.get(sent.lease)!.granted.at >= stale.deadline).toBe(true)
      expect((await itemsOn(system)).map(({ lease: one }) => one)).not.toContain(stale.granted.lease)
      expect(await stop(running)).toBe(0)
    },
  )

  it(
    'F5: one item published twice, and two at work on it: each pair counts once, one lease is held',
    limits,
    async () => {
      // The lease outlasts the start of both, however busy the machine is: an item that is too old is left alone.
      const unhurried = { leaseSeconds: 600, itemSeconds: 300 }
      const { system, node, outside, lives, item, soundLives, home } = await useHome({
        maxClips: 8,
        ...unhurried,
      })
      const clips = ids('c', 8)
      await curateAll(system, ['e'], clips)
      const running = node()
      const { lease } = await item()
      const [record] = await recordsOn(system, workItemsTopic)
      const { topic, key, headers, value } = record!
      await system.broker.produce([{ topic, key, headers, value }])()
      const two = ['one', 'two'].map((researcher) =>
        outside({ researcher, gapMillis: 20, group: researcher }),
      )
      for (const each of two) await tells(each, `done ${lease}`)
      await until('all is taken in', async () => {
        const { researched, repeats } = await lives()
        return researched.size === clips.length && repeats >= clips.length
      })
      const found = await soundLives()
      expectAllResearched(found, ['e'], clips)
      expect(found.leases.get(lease)?.ended).toBe('final')
      const [progress] = await ask(['research', 'progress'], { home })
      expect(progress).toMatchObject({ pairs: clips.length, researched: clips.length })
      expect(await stop(running)).toBe(0)
    },
  )

  it(
    'F1, F2: two assigners, of which the one on duty hangs and comes back: no pair is leased twice',
    limits,
    async () => {
      const { system, home, node, outside, lives, soundLives } = await useHome({ maxClips: 3 })
      const episodes = ids('e', 6)
      const clips = ids('c', 20)
      await curateAll(system, episodes, clips)
      const both = [node(), node()]
      const researchers = ids('r', 3).map((researcher) => outside({ researcher, gapMillis: 10 }))
      for (let round = 0; round < 2; round++) {
        const sleeper = await until('somebody is on duty', () => onDuty(system, both))
        const { size } = (await lives()).leases
        await until('it hands out work', async () => (await lives()).leases.size > size)
        await freeze(sleeper, home)
        await until('the other takes over', async () => {
          const now = await onDuty(system, both)
          return now && now !== sleeper
        })
        thaw(sleeper)
      }
      await until(
        'all pairs are researched',
        async () => (await lives()).researched.size === episodes.length * clips.length,
      )
      for (const { child } of researchers) child.kill('SIGTERM')
      expect(await Promise.all(both.map(stop))).toEqual([0, 0])
      expectAllResearched(await soundLives(), episodes, clips)
    },
  )
})
