import { expect, it, onTestFinished } from 'vitest'
import { createBlockFiles } from '../../src/sorted-index/block-files.ts'
import { blockCount, createRunBlocks } from '../../src/sorted-index/run-blocks.ts'
import { batchOf, emptyFolder, openTestIndex } from './lines.ts'

it('blocks that are kept in memory keep nothing else there', async () => {
  const folder = emptyFolder()
  const lines = Array.from({ length: 1000 }, (_, n) => `com,x)/${n} 20260131120000 http://x.com/${n}`)
  const written = await openTestIndex(folder).write([batchOf(lines)])
  const run = { ...written, level: 0, files: 1, ended: [] }
  const files = createBlockFiles(2)
  onTestFinished(() => files.close())
  const blocks = createRunBlocks(folder, files, 1024 ** 2)
  expect(blockCount(run)).toBeGreaterThan(2)
  for (let block = 0; block < blockCount(run); block++) {
    const kept = [await blocks.lines(run, block), await blocks.first(run, block)]
    // A block cut from the pool of Node would hold the pool's 64 KB.
    for (const { buffer, length } of kept) expect(buffer.byteLength).toBe(length)
  }
})
