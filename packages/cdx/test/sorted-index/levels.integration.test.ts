import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MergePlan, nextMerge } from '../../src/sorted-index/levels.ts'
import type { Run } from '../../src/sorted-index/manifest.ts'

const settings = { runsPerLevel: 10, maxInputs: 128, frozenBytes: 1_000_000 }

let made = 0
const runOf = (bytes: number, level = 0): Run => ({
  name: `r-${made++}`,
  lines: bytes,
  bytes,
  sha256: '0'.repeat(64),
  first: 'a',
  last: 'a',
  level,
  files: 1,
  ended: [],
})

/** Merges until nothing is due; gives the runs and the bytes written. */
const mergeAll = (runs: readonly Run[]) => {
  let live = runs
  let written = 0
  for (let plan = nextMerge(live, settings); plan; plan = nextMerge(live, settings)) {
    const { inputs, level }: MergePlan = plan
    const bytes = inputs.reduce((sum, run) => sum + run.bytes, 0)
    written += bytes
    const taken = new Set(inputs)
    live = [...live.filter((run) => !taken.has(run)), runOf(bytes, level)]
  }
  return { live, written }
}

describe('merges', () => {
  it('indexing W33 are few: 100,000 runs that wait become some, each line rewritten three times at most', () => {
    const { live, written } = mergeAll(Array.from({ length: 100_000 }, () => runOf(1)))
    expect(live.length).toBeLessThan(30)
    expect(written).toBeLessThanOrEqual(300_000)
  })

  it('of runs that come one by one rewrite each line once a level', () => {
    let live: readonly Run[] = []
    let written = 0
    for (let i = 0; i < 5000; i++) {
      const merged = mergeAll([...live, runOf(1)])
      live = merged.live
      written += merged.written
      expect(live.length).toBeLessThanOrEqual(9 * 4)
    }
    expect(written).toBeLessThanOrEqual(3 * 5000)
  })

  it('never take a frozen run, nor more at once than may be open', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.constantFrom(1, 10, 999_999, 1_000_000, 2_000_000)), {
          maxLength: 300,
        }),
        (some) => {
          const plan = nextMerge(
            some.map(([level, bytes]) => runOf(bytes, level)),
            settings,
          )
          if (!plan) return
          expect(plan.inputs.length).toBeGreaterThanOrEqual(settings.runsPerLevel)
          expect(plan.inputs.length).toBeLessThanOrEqual(settings.maxInputs)
          expect(plan.inputs.every(({ bytes }) => bytes < settings.frozenBytes)).toBe(true)
          expect(new Set(plan.inputs.map(({ level }) => level)).size).toBe(1)
          expect(plan.level).toBeGreaterThan(plan.inputs[0]!.level)
        },
      ),
    )
  })
})
