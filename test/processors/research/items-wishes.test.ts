import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR } from '#src/domain/kernel/time.ts'
import { runs } from '../../runs.ts'
import { itemsWorld, leasesOf } from './items-world.ts'

/* Whoever asks anew each time, as over HTTP, has no memory of what it was given: names of wishes tell it. */

let world: ReturnType<typeof itemsWorld>
beforeEach(async () => {
  world = itemsWorld()
  await world.curate('episode', 'e1', 'e2', 'e3')
  await world.curate('clip', 'a', 'b')
  await world.grant('l1', 'e1', 'a')
  await world.grant('l2', 'e1', 'b')
  await world.grant('l3', 'e2', 'a')
  await world.fold()
})

const ask = async (id: string, researcher = 'r'): Promise<string | undefined> =>
  leasesOf(await world.queue(researcher, { wish: { id, mayBeRepeated: true } }).take(1))[0]
const askNew = async (id: string, researcher = 'r'): Promise<string | undefined> =>
  leasesOf(await world.queue(researcher, { wish: { id, mayBeRepeated: false } }).take(1))[0]

describe('items by name of a wish', () => {
  it('two wishes of one researcher are two items, though no view shows the first as taken', async () => {
    expect([await askNew('1'), await askNew('2'), await ask('3'), await ask('4')]).toEqual([
      ...['l1', 'l2', 'l3'],
      undefined,
    ])
  })

  it.each([false, true])('the same wish is the same item (views show it: %s)', async (folded) => {
    expect([await ask('1'), await ask('2')]).toEqual(['l1', 'l2'])
    if (folded) await world.fold()
    expect([await ask('2'), await ask('1'), await ask('3')]).toEqual(['l2', 'l1', 'l3'])
    const taken = (await world.typesOf('e1')).filter((type) => type === 'WorkItemTaken')
    expect(taken).toHaveLength(2)
  })

  it('at once, too', async () => {
    const all = await Promise.all(['1', '1', '2', '2', '1'].map((id) => ask(id)))
    const [one, two] = [all[0], all[2]]
    expect(all).toEqual([one, one, two, two, one])
    expect(one).not.toBe(two)
  })

  it('names of another researcher are its own', async () => {
    expect(await ask('1')).toBe('l1')
    expect(await ask('1', 'other')).toBe('l2')
    await world.fold()
    expect([await ask('1'), await ask('1', 'other')]).toEqual(['l1', 'l2'])
  })

  it('a name may be part of a name', async () => {
    expect(await ask('b#c', 'a')).toBe('l1')
    expect(await ask('c', 'a#b')).toBe('l2')
    expect(await ask('b', 'c#a')).toBe('l3')
  })

  it('an item that has ended is not given again', async () => {
    expect(await ask('1')).toBe('l1')
    await world.on('episode', 'e1', { type: 'Revoke', lease: 'l1', reason: 'no more' })
    await world.fold()
    expect(await ask('1')).toBe('l2')
  })

  it('nor one whose time is over, before anybody has put that down', async () => {
    expect(await ask('1')).toBe('l1')
    await world.clock.advance(2 * HOUR)
    await world.grant('l4', 'e3', 'a')
    await world.fold()
    expect(await ask('1')).toBe('l4')
  })

  it('who takes no more still has again what it has', async () => {
    expect(await ask('1')).toBe('l1')
    await world.on('researcher', 'r', { type: 'Register', presenceSeconds: 180 })
    await world.on('researcher', 'r', { type: 'Drain' })
    await world.fold()
    expect([await ask('1'), await ask('2')]).toEqual(['l1', undefined])
  })

  it('one queue gives an item once, also where its wish was repeated', async () => {
    await ask('1')
    await world.fold()
    const queue = world.queue('r', { wish: { id: '1', mayBeRepeated: true } })
    expect(leasesOf(await queue.take(1))).toEqual(['l1'])
    expect(leasesOf(await queue.take(1))).toEqual(['l2'])
    expect(leasesOf(await queue.take(2))).toEqual(['l3'])
  })

  it('property: any asking, folded whenever: a wish has one item, an item is of one wish', async () => {
    const step = fc.record({
      researcher: fc.constantFrom('r', 's'),
      wish: fc.constantFrom('1', '2', '3'),
      fold: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        world = itemsWorld()
        await world.curate('episode', 'e1', 'e2')
        const names = Array.from({ length: 6 }, (_, i) => `n${i}`)
        for (const [i, name] of names.entries()) await world.grant(name, `e${1 + (i % 2)}`, name)
        await world.curate('clip', ...names)
        await world.fold()
        const given = new Map<string, string>()
        for (const { researcher, wish, fold } of steps) {
          const lease = await ask(wish, researcher)
          const asked = `${researcher} ${wish}`
          expect(lease).toBeDefined()
          expect(lease).toBe(given.get(asked) ?? lease)
          given.set(asked, lease!)
          if (fold) await world.fold()
        }
        expect(new Set(given.values()).size).toBe(given.size)
      }),
      { numRuns: runs(30) },
    )
  })
})
