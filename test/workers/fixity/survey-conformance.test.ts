import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import createFileSystemStore from '#infra/content/file-system/store.ts'
import { survey } from '#src/workers/fixity/survey.ts'
import { writeBag } from '../../../packages/bag/test/bagit/bags.ts'
import { conformanceBags } from '../../../packages/bag/test/bagit/conformance-bags.ts'

/** What `fixity add` says of the bag: by its names and sizes, not by its bytes. */
const surveyed = async (folder: string) => {
  const problems: string[] = []
  let isComplete: boolean | undefined
  for await (const found of survey(createFileSystemStore(folder)))
    if (found.kind === 'problem') problems.push(`${found.path}: ${found.reason}`)
    else if (found.kind === 'bag' && found.path === '.') isComplete = found.isComplete
  return { isComplete, problems }
}

it.each(conformanceBags)(
  'a bag of the conformance suite: $name',
  async ({ bag, isValid, isComplete = isValid }) => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-bag-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeBag(folder, bag)
    const seen = await surveyed(folder)
    // Without bagit.txt it is a folder like any other, whose manifests are told as not read.
    if ('bagit.txt' in bag) expect(seen).toMatchObject({ isComplete })
    else
      expect(seen).toMatchObject({
        isComplete: undefined,
        problems: expect.arrayContaining([expect.stringContaining('is not read')]),
      })
  },
)
