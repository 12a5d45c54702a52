import { describe, expect, it } from 'vitest'
import type { BucketRoot } from '../../src/bucket/objects.ts'
import type { NewVersion } from '../../src/types.ts'
import { ark, versionOf } from '../root-folder.ts'
import { prefix, useBucket } from './bucket-root.ts'
import { Killed, killedAt } from './memory-bucket.ts'
import { expectValid } from './valid-root.ts'

type Use = ReturnType<typeof useBucket>

/** One small file, one that needs parts, and one that both versions have. */
const first = ({ file }: Use): NewVersion =>
  versionOf(ark, 0, [file('a', 'one'), file('kept', 'kept'), file('large', 'l'.repeat(4500))])
const second = ({ file }: Use): NewVersion =>
  versionOf(ark, 1, [file('a', 'two'), file('larger', 'm'.repeat(4000))], { carry: 'all' })

interface Case {
  readonly before: readonly ((use: Use) => NewVersion)[]
  readonly work: (root: BucketRoot, use: Use) => Promise<unknown>
  /** Texts of file `a` that a reader may find: before, and behind the work. */
  readonly either: readonly [string | undefined, string | undefined]
}

const cases: Readonly<Record<string, Case>> = {
  'a first version': {
    before: [],
    work: (root, use) => root.write(first(use)),
    either: [undefined, 'one'],
  },
  'a next version': {
    before: [first],
    work: (root, use) => root.write(second(use)),
    either: ['one', 'two'],
  },
  'a version taken out': {
    before: [first, second],
    work: (root) => root.setAside(ark, 1),
    either: ['two', 'one'],
  },
  'an object taken out': {
    before: [first, second],
    work: (root) => root.setAside(ark, 0),
    either: ['two', undefined],
  },
}

describe.each(Object.entries(cases))(
  '%s, killed at any moment of its calls',
  (_, { before, work, either }) => {
    it.each([{ marks: false }, { marks: true }])(
      'leaves one of both, valid after the next start (%o)',
      async (habits) => {
        const seen = new Set<string | undefined>()
        for (let moment = 0; ; moment++) {
          const use = useBucket(habits)
          const earlier = await use.open()
          for (const version of before) await earlier.write(version(use))
          await earlier.close()

          const killing = killedAt(moment)
          let isOpen = false
          const process = 'killed'
          const done = await use
            .open(async () => (isOpen ? killing.call() : undefined), { process })
            .then(async (root) => {
              isOpen = true
              await work(root, use)
            })
            .then(() => true)
            .catch((error: unknown) => {
              expect(error).toBeInstanceOf(Killed)
              return false
            })
          // A reader never finds half of a version, also before anything is recovered.
          const reader = await use.open()
          const found = await use.read(reader, 'a')
          expect(either).toContain(found)
          for (const { path } of (await reader.files(ark)) ?? [])
            expect(await use.read(reader, path)).toBeDefined()

          use.end(process)
          const next = await use.open()
          await next.recover()
          expectValid(use.texts(), `${prefix}/`)
          expect(use.openUploads()).toBe(0)
          expect(await use.read(next, 'a')).toBe(found)
          const left = [...use.texts().keys()].filter((key) => key.includes('/killed/'))
          expect(left.filter((key) => !key.endsWith('/killed/process.json'))).toEqual([])

          // The work, done again by another process, has the same end.
          await work(next, use)
          expectValid(use.texts(), `${prefix}/`)
          expect(await use.read(next, 'a')).toBe(either[1])
          seen.add(found)
          if (done) break
          expect(moment).toBeLessThan(500)
        }
        expect(seen).toEqual(new Set(either))
      },
    )
  },
)
