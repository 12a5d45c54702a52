import { expect, it } from 'vitest'
import { lateFiles } from '#src/workflows/indexing/checks.ts'
import { indexingWorld } from '../../processors/indexing/world.ts'

it('W1 doctor warns of files that are late, and of no others', async () => {
  const world = indexingWorld()
  expect(lateFiles(world)).toEqual([])
  await world.sight('a.warc.gz')
  await world.sight('b.warc.gz')
  await world.fold()
  expect(lateFiles(world)).toEqual([])
  await world.clock.advance(61 * 3_600_000)
  expect(lateFiles(world)).toEqual([
    {
      check: 'archive files',
      status: 'warn',
      says: '2 files have not been in the index for 60 hours, the oldest since 2026-01-31T12:00:00.000Z',
      todo: expect.stringContaining('`fonds indexing late`'),
    },
  ])
})
