import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import type { Guard } from '../../src/bucket/guard.ts'
import { VersionConflict } from '../../src/errors.ts'
import { ark, versionOf } from '../root-folder.ts'
import { prefix, useBucket } from './bucket-root.ts'
import { Killed } from './memory-bucket.ts'
import { expectValid } from './valid-root.ts'

/** Opens a root for two processes, each call of which waits for its turn. */
const two = async (
  scheduler: fc.Scheduler,
  use: ReturnType<typeof useBucket>,
  dies = Number.POSITIVE_INFINITY,
) => {
  let moments = 0
  let isScheduled = false
  const turn = async (name: string) => {
    if (isScheduled) await scheduler.schedule(Promise.resolve(), name)
  }
  const mortal = async (name: string) => {
    await turn(name)
    if (isScheduled) moments += 1
    if (moments > dies) throw new Killed()
  }
  const guard = turns()
  const one = await use.open(mortal, { process: 'one', guard })
  const other = await use.open(turn, { process: 'other', guard })
  isScheduled = true
  const free = () => {
    isScheduled = false
  }
  return { one, other, free }
}

const outcome = (write: Promise<unknown>) =>
  write.then(
    () => 'written' as const,
    (error: unknown) => {
      if (error instanceof VersionConflict) return 'conflict' as const
      if (error instanceof Killed) return 'killed' as const
      throw error
    },
  )

/** The turns that a lock elsewhere gives. */
const turns = (): Guard => {
  const last = new Map<string, Promise<unknown>>()
  return {
    run: (place, _, work) => {
      const before = last.get(place) ?? Promise.resolve()
      const mine = before.then(() => work(() => {}))
      last.set(
        place,
        mine.catch(() => {}),
      )
      return mine
    },
  }
}

describe.each([{ marks: false }, { marks: true }, { ignoresConditions: true }])(
  'two processes at once (%o)',
  (habits) => {
    it('write one version of an object: one of them does, and the other is in conflict', () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isFirst) => {
          const use = useBucket(habits)
          if (!isFirst)
            await (await use.open(undefined, { guard: turns() })).write(
              versionOf(ark, 0, [use.file('a', 'before')]),
            )
          const basedOn = isFirst ? 0 : 1
          const { one, other, free } = await two(scheduler, use)
          const outcomes = Promise.all([
            outcome(one.write(versionOf(ark, basedOn, [use.file('a', 'of one'), use.file('b', 'b')]))),
            outcome(other.write(versionOf(ark, basedOn, [use.file('a', 'of other'), use.file('b', 'b')]))),
          ])
          await scheduler.waitFor(outcomes)
          free()
          expect((await outcomes).toSorted()).toEqual(['conflict', 'written'])
          const winner = (await outcomes)[0] === 'written' ? 'of one' : 'of other'
          expectValid(use.texts(), `${prefix}/`)
          const reader = await use.open()
          expect(await reader.head(ark)).toMatchObject({ version: basedOn + 1 })
          expect(await use.read(reader, 'a')).toBe(winner)
        }),
        { numRuns: runs(60) },
      ))

    it('write different objects: both are there', () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), async (scheduler) => {
          const use = useBucket(habits)
          const { one, other, free } = await two(scheduler, use)
          const ids = ['ark:/99999/1', 'ark:/99999/2'] as const
          const outcomes = Promise.all([
            outcome(one.write(versionOf(ids[0], 0, [use.file('a', '1')]))),
            outcome(other.write(versionOf(ids[1], 0, [use.file('a', '2')]))),
          ])
          await scheduler.waitFor(outcomes)
          free()
          expect(await outcomes).toEqual(['written', 'written'])
          expectValid(use.texts(), `${prefix}/`)
          expect((await other.list('', 10)).map(({ object }) => object).toSorted()).toEqual(ids)
        }),
        { numRuns: runs(20) },
      ))

    it('and one is killed: the version is that of one of both, valid once its process has ended', () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.nat(60), fc.boolean(), async (scheduler, dies, isFirst) => {
          const use = useBucket(habits)
          if (!isFirst)
            await (await use.open(undefined, { guard: turns() })).write(
              versionOf(ark, 0, [use.file('a', 'before')]),
            )
          const basedOn = isFirst ? 0 : 1
          const { one, other, free } = await two(scheduler, use, dies)
          const outcomes = Promise.all([
            outcome(one.write(versionOf(ark, basedOn, [use.file('a', 'of one')]))),
            outcome(other.write(versionOf(ark, basedOn, [use.file('a', 'of other')]))),
          ])
          await scheduler.waitFor(outcomes)
          free()
          const [, ofOther] = await outcomes
          use.end('one')
          await other.recover()
          expectValid(use.texts(), `${prefix}/`)
          expect(await use.read(other, 'a')).toBe(ofOther === 'written' ? 'of other' : 'of one')
        }),
        { numRuns: runs(60) },
      ))

    it('and a reader: it finds all of the version before, or all of the next', () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), async (scheduler) => {
          const use = useBucket(habits)
          await (await use.open(undefined, { guard: turns() })).write(
            versionOf(ark, 0, [use.file('a', 'before')]),
          )
          const { one, other, free } = await two(scheduler, use)
          const reading = Promise.all([
            other.files(ark),
            outcome(one.write(versionOf(ark, 1, [use.file('a', 'next'), use.file('b', 'next')]))),
            other.files(ark),
          ])
          await scheduler.waitFor(reading)
          free()
          const [first, , second] = await reading
          for (const files of [first, second])
            expect([['a'], ['a', 'b']]).toContainEqual(files?.map(({ path }) => path))
          expectValid(use.texts(), `${prefix}/`)
        }),
        { numRuns: runs(60) },
      ))
  },
)
