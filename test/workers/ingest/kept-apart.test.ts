import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { failUnlessApart } from '#src/workers/ingest/files/kept-apart.ts'

/* A link stands for what a file system does that takes two names for one. */

it.each([
  ['Letter.txt', 'letter.txt'],
  ['caf\u00e9.txt', 'cafe\u0301.txt'],
])('ingest X5: %s and %s are refused where they are one file, and only there', async (one, other) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-apart-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, one), 'the last one')
  linkSync(join(folder, one), join(folder, other))
  await expect(failUnlessApart(folder, ['a', one, other])).rejects.toThrow(/are one name in .*; rename one/)
  rmSync(join(folder, other))
  writeFileSync(join(folder, other), 'another')
  await expect(failUnlessApart(folder, ['a', one, other])).resolves.toBeUndefined()
})
