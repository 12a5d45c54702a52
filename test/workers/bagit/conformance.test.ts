import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import createFileSystemStore from '#infra/content/file-system/store.ts'
import { checkBag } from '#src/workers/bagit/check-bag.ts'
import { survey } from '#src/workers/fixity/survey.ts'
import { writeBag } from './bags.ts'
import { conformanceBags } from './conformance-bags.ts'

const hold = { signal: new AbortController().signal, progress: () => {} }

/** What `fixity add` says of the bag: by its names and sizes, not by its bytes. */
const surveyed = async (folder: string) => {
  const problems: string[] = []
  let isComplete: boolean | undefined
  for await (const found of survey(createFileSystemStore(folder)))
    if (found.kind === 'problem') problems.push(`${found.path}: ${found.reason}`)
    else if (found.kind === 'bag' && found.path === '.') isComplete = found.isComplete
  return { isComplete, problems }
}

describe('bags as in the conformance suite', () => {
  it.each(conformanceBags)('$name', async ({ name, bag, isValid, isComplete = isValid }) => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-bag-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeBag(folder, bag)
    const { problems } = await checkBag(folder, hold)
    expect({ name, isValid: problems.length === 0, problems }).toMatchObject({ name, isValid })
    const seen = await surveyed(folder)
    // Without bagit.txt it is a folder like any other, whose manifests are told as not read.
    if ('bagit.txt' in bag) expect(seen).toMatchObject({ isComplete })
    else
      expect(seen).toMatchObject({
        isComplete: undefined,
        problems: expect.arrayContaining([expect.stringContaining('is not read')]),
      })
  })
})
