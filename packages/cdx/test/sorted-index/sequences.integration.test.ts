import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import {
  batchOf,
  bytesOf,
  changedLines,
  changer,
  emptyFolder,
  openTestIndex,
  scanned,
  sortedUnique,
} from './lines.ts'

const eager = { runsPerLevel: 2, maxInputs: 3, graceMillis: 0 }

describe('any sequence of changes', () => {
  const anyFile = fc.constantFrom('a', 'b', 'c', 'd')
  const anyLines = fc.array(
    fc.tuple(fc.constantFrom('com,x)/', 'org,y)/'), fc.nat(12)).map(([key, n]) => `${key} ${n}`),
    { maxLength: 8 },
  )
  const anyStep = fc.oneof(
    fc.record({ kind: fc.constant('publish' as const), file: anyFile, lines: anyLines }),
    fc.record({ kind: fc.constant('withdraw' as const), file: anyFile }),
    fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), lines: anyLines }),
    fc.record({ kind: fc.constant('merge' as const), all: fc.boolean() }),
    fc.record({ kind: fc.constant('reopen' as const) }),
    fc.record({ kind: fc.constant('repeat' as const) }),
  )

  it('indexing W18, W26, W33, W34 and C7: the lines are those of the files that hold, and those posted and not deleted, each once, at every position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 14 }),
        fc.constantFrom(200, 2 ** 40),
        async (steps, frozenBytes) => {
          const folder = emptyFolder()
          const open = () => openTestIndex(folder, { ...eager, frozenBytes })
          let index = open()
          const files = new Map<string, readonly string[]>()
          const posted = new Set<string>()
          const held = () => sortedUnique([...files.values(), ...posted].flat())
          const past: (readonly string[])[] = [[]]
          let last: Parameters<typeof index.change>[0] = []
          for (const step of steps) {
            const position = BigInt(past.length)
            switch (step.kind) {
              case 'publish': {
                const run = await index.write([batchOf(step.lines)])
                last = [{ kind: 'publish', file: step.file, run, position }]
                expect(await index.change(last)).toEqual([])
                files.set(step.file, step.lines)
                past.push(held())
                break
              }
              case 'add':
              case 'remove': {
                const run = await index.write([batchOf(step.lines)])
                last = [{ kind: step.kind, run, position }]
                expect(await index.change(last)).toEqual([])
                for (const line of step.lines)
                  if (step.kind === 'add') posted.add(line)
                  else posted.delete(line)
                past.push(held())
                break
              }
              case 'withdraw':
                last = [{ kind: 'withdraw', file: step.file, position }]
                await index.change(last)
                files.delete(step.file)
                past.push(held())
                break
              case 'merge':
                await index.mergeDue({ all: step.all })
                break
              case 'repeat':
                await index.change(last)
                break
              case 'reopen':
                await index.close()
                writeFileSync(join(folder, 'm-left-by-a-crash.cdx'), 'z half a li')
                index = open()
            }
            expect(await scanned(index)).toEqual(past.at(-1))
            expect(await scanned(index, { backwards: true })).toEqual(past.at(-1)?.toReversed())
          }
          for (const [position, lines] of past.entries())
            expect(await scanned(index, { asOf: BigInt(position) })).toEqual(lines)
          const now = new Set(past.at(-1))
          for (const [since, before] of past.entries()) {
            const changed = await changedLines(index, BigInt(since), BigInt(past.length))
            expect([...changed.keys()]).toEqual(sortedUnique(changed.keys()))
            for (const [line, holds] of changed) expect([line, holds]).toEqual([line, now.has(line)])
            const was = new Set(before)
            const differing = [...was, ...now].filter((line) => was.has(line) !== now.has(line))
            expect(differing.filter((line) => !changed.has(line))).toEqual([])
          }
          expect(await index.position()).toBe(BigInt(past.length - 1))
          await index.close()
          rmSync(folder, { recursive: true })
        },
      ),
      { numRuns: runs(60) },
    )
  })
})

describe('a scan', () => {
  const long = `b ${'x'.repeat(30_000)}`
  const lines = sortedUnique([
    ...Array.from({ length: 3000 }, (_, i) => `k${i % 700} 2020${i} rest`),
    long,
    `${long}y`,
    'k\u00ff 1',
    'a',
  ])

  it('indexing W27 gives what is from one line up to another, to both sides, over long lines as well', async () => {
    const index = openTestIndex(emptyFolder())
    const { publish } = changer(index)
    for (let i = 0; i < 3; i++)
      await publish(
        `file-${i}`,
        lines.filter((_, at) => at % 3 === i || at % 7 === 0),
      )
    await index.mergeDue({ all: true })
    await publish('later', lines.slice(1000, 1100))
    const bounds = ['', 'a', 'a ', 'b', long, `${long}z`, 'k3', 'k350 20203', 'k\u00ff', 'z']
    for (const from of bounds)
      for (const to of bounds) {
        const wanted = lines.filter(
          (line) =>
            Buffer.compare(bytesOf(line), bytesOf(from)) >= 0 &&
            Buffer.compare(bytesOf(line), bytesOf(to)) < 0,
        )
        const range = { from: bytesOf(from), to: bytesOf(to) }
        expect(await scanned(index, range)).toEqual(wanted)
        expect(await scanned(index, { ...range, backwards: true })).toEqual(wanted.toReversed())
      }
  })
})
