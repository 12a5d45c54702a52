import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runOfLines } from '#src/workers/indexing/run-of-lines.ts'
import { openTestIndex, scanned } from '../../infra/capture-index/lines.ts'
import { temporaryFolder } from './temporary-folder.ts'

const setUp = () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.warc.cdx')
  // More than one block, so that lines lie across the ends of blocks.
  const lines = Array.from(
    { length: 20_000 },
    (_, n) => `org,example)/${String(n).padStart(6, '0')} 20260131120000`,
  )
  const text = lines.map((line) => `${line}\n`).join('')
  writeFileSync(path, text)
  const index = openTestIndex(join(folder, 'runs'))
  const digest = createHash('sha256').update(text).digest('hex')
  return { path, lines, index, digest, run: (of: string, from = path) => runOfLines(from, of, () => index) }
}

it('a file of sorted lines becomes a run of the same bytes', async () => {
  const { lines, index, digest, run } = setUp()
  const written = await run(digest)
  expect(written).toMatchObject({ lines: lines.length, sha256: digest })
  await index.change([{ kind: 'publish', file: 'main/a.warc', run: written!, position: 1n }])
  expect(await scanned(index)).toEqual(lines)
})

it('of lines with another digest, or none, there is no run', async () => {
  const { path, digest, run } = setUp()
  expect(await run('0'.repeat(64))).toBeUndefined()
  expect(await run(digest, `${path}.gone`)).toBeUndefined()
})
