import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limits } from '../../patience.ts'
import { type Started, stop, until } from '../run-fonds.ts'
import { shortLeases } from './curating.ts'
import { expectAllResearched, type Life } from './expectations.ts'
import { clips, curateLongShow, expectFoundInLongShow } from './long-show.ts'
import { useHome } from './world.ts'

/* Researchers that end in the midst of a search: all media are there, some clips are reported, others are looked for. */

const searching = async (policy: Parameters<typeof useHome>[0] = {}) => {
  const world = await useHome(policy)
  await curateLongShow(world.system, world.folder)
  world.node()
  // One thread: one group after the other.
  const researcher = world.worker({ FONDS_THREADS: '1' })
  const decoded = () =>
    readdirSync(world.home, { encoding: 'utf8', recursive: true }).filter((name) => isDescription.test(name))
  const some = ({ results }: Life) => results.length > 0 && results.length < clips.length
  await until('all media are decoded', () => decoded().length === clips.length + 1)
  const life = await world.lease('some clips are reported', some)
  expect(life.ended).toBeUndefined()
  return { ...world, researcher, first: life.granted.lease }
}

/** A machine may be so fast that all was done before it was interrupted: then it is tried again. */
const interrupted = async (
  interrupt: (world: Awaited<ReturnType<typeof searching>>) => Promise<unknown>,
  policy: Parameters<typeof useHome>[0] = {},
) => {
  for (;;) {
    const world = await searching(policy)
    await interrupt(world)
    const { results } = await world.lease('its lease has ended', ({ ended }) => ended !== undefined)
    if (results.length < clips.length) return world
  }
}

/** A machine may be so slow that the other's lease runs out before it is extended: then it is tried again, with longer leases. */
const killed = async () => {
  for (let leaseSeconds = shortLeases.leaseSeconds; ; leaseSeconds *= 2) {
    const kill = ({ researcher }: { researcher: Started }) => {
      researcher.child.kill('SIGKILL')
      return researcher.exit
    }
    const world = await interrupted(kill, { leaseSeconds, itemSeconds: leaseSeconds - 1 })
    const other = world.worker()
    const second = await world.lease(
      'another has done the rest',
      ({ granted, ended }) => granted.lease !== world.first && ended === 'final',
    )
    expect(await stop(other)).toBe(0)
    const lives = await world.soundLives()
    const others = [...lives.leases].filter(([lease]) => lease !== world.first)
    if (!others.some(([, { ended }]) => ended === 'expired')) return { world, lives, second }
  }
}

const isDescription = /^media.[0-9a-f]+\.json$/

describe('in the midst of a search', () => {
  it(
    'F7, L41: killed: what was reported counts, the lease, which had been extended, runs out, another does the rest',
    limits,
    async () => {
      const { world, lives, second } = await killed()
      const first = lives.leases.get(world.first)!
      expect(first.ended).toBe('expired')
      expect(first.deadline > first.granted.deadline).toBe(true)
      expect([lives.leases.size, lives.repeats]).toEqual([2, 0])
      expect([...first.results, ...second.results].sort()).toEqual(clips)
      expectAllResearched(lives, ['show'], clips)
      expectFoundInLongShow(lives)
    },
  )

  it(
    'L35, L36: asked to stop: its last result is final, and what is open is another’s at once',
    limits,
    async () => {
      const stopped = async ({ researcher }: { researcher: Started }) =>
        expect(await stop(researcher)).toBe(0)
      const world = await interrupted(stopped, { leaseSeconds: 3600, itemSeconds: 1800 })
      const first = await world.lease('its lease has ended', ({ ended }) => ended !== undefined)
      expect(first.ended).toBe('final')
      const other = world.worker()
      const second = await world.lease(
        'another has done the rest',
        ({ granted, ended }) => granted.lease !== world.first && ended === 'final',
      )
      expect(await stop(other)).toBe(0)
      const lives = await world.soundLives()
      expect([lives.leases.size, lives.repeats, lives.late]).toEqual([2, 0, 0])
      expect([...first.results, ...second.results].sort()).toEqual(clips)
      expectAllResearched(lives, ['show'], clips)
      expectFoundInLongShow(lives)
    },
  )
})
