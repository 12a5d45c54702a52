import { expect, it } from 'vitest'
import { InvalidSetting } from '#src/async/errors.ts'
import type { LostLines } from '#src/ports/capture-index.ts'
import { lostLines } from '#src/workflows/indexing/lost-lines.ts'

const loss: LostLines = {
  run: 'm-1',
  at: Date.parse('2026-01-31T12:00:00Z'),
  lines: 256,
  blocks: 1,
  from: 'org,example)/a',
  to: '',
  files: [],
  posts: 0,
}
const causes = (...losses: readonly LostLines[]) =>
  lostLines({ captureIndex: () => ({ losses: async () => losses }) } as never)

it('of the index is nothing while no block is damaged', async () => {
  expect(await causes()).toEqual([])
})

it('names how many lines, whose and where, and says what helps', async () => {
  const files = Array.from({ length: 7 }, (_, i) => ({ file: `main/${i}.warc`, digest: '', number: i }))
  const [ofFiles] = await causes({ ...loss, files })
  expect(ofFiles).toMatchObject({ key: 'lost/indexing/m-1', weight: 256 })
  expect(ofFiles?.says).toContain(
    '256 lines in 1 damaged block, between the keys org,example)/a and (the end)',
  )
  const [first] = await causes({ ...loss, from: '', to: 'org,example)/b' })
  expect(first?.says).toContain('between the keys (the start) and org,example)/b, are lost')
  const [only] = await causes({ ...loss, from: '' })
  expect(only?.says).toContain('256 lines in 1 damaged block, all that it has, are lost')
  expect(ofFiles?.says).toContain(
    '7 files: main/0.warc, main/1.warc, main/2.warc, main/3.warc, main/4.warc and 2 others',
  )
  expect(ofFiles?.todo).toContain('indexed again by themselves')
  expect(ofFiles?.todo).not.toContain('post them again')
  const [ofPosts] = await causes({ ...loss, posts: 2 })
  expect(ofPosts?.says).toContain('2 posts')
  expect(ofPosts?.todo).toContain('post them again')
  expect(ofPosts?.todo).not.toContain('indexed again')
})

it('says that nothing tells which lines are damaged, where that is so', async () => {
  const [cause] = await causes({ ...loss, lines: 0, blocks: 0, posts: 1 })
  expect(cause?.says).toContain('nothing says which')
  expect(cause?.says).not.toContain('are lost')
})

it('leaves an index that cannot be read at all to another check', async () => {
  const broken = async () => {
    throw new InvalidSetting('the manifest is damaged')
  }
  expect(await lostLines({ captureIndex: () => ({ losses: broken }) } as never)).toEqual([])
})
