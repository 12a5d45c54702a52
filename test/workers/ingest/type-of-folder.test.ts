import fc from 'fast-check'
import { expect, it } from 'vitest'
import { typeOfFiles, typeOfListed } from '#src/workers/ingest/payload/type-of-folder.ts'
import { runs } from '../../runs.ts'

async function* listed(paths: readonly string[]) {
  for (const path of paths) yield { path }
}

it.each([
  ['bag', ['data/a.txt', 'other/b.txt', 'third/c.txt', 'bagit.txt']],
  ['bag', ['b/bagit.txt', 'b/data/a.txt']],
  ['bag', ['__MACOSX/b/._bagit.txt', '.DS_Store', 'b/bagit.txt']],
  ['folder', ['b/bagit.txt', 'c/bagit.txt']],
  ['folder', ['__MACOSX/bagit.txt', 'b/a.txt']],
  ['folder', ['a.txt', 'b/bagit.txt']],
  ['folder', ['a.txt', 'b/c.txt']],
  ['folder', []],
] as const)('is a %s: %j', async (type, paths) => {
  expect(await typeOfListed(listed(paths))).toBe(type)
})

it('is the same whether its files are listed one after the other, or there at once', async () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', '__MACOSX', 'bagit.txt', '.DS_Store'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/'))
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path), async (paths) => {
      expect(await typeOfListed(listed(paths))).toBe(typeOfFiles(paths))
    }),
    { numRuns: runs(400) },
  )
})
