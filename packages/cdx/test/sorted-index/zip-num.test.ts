import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { batchOf, changer, emptyFolder, openTestIndex, sortedUnique } from './lines.ts'

it('ZipNum: each line of the summary leads to a member that begins with that key and time', async () => {
  const index = openTestIndex(emptyFolder())
  const lines = sortedUnique(Array.from({ length: 2500 }, (_, i) => `k${i % 40} 2020${i} rest`))
  await changer(index).publish('one', lines)
  const folder = emptyFolder()
  const [cluster, summary, locations] = ['cdx.gz', 'idx', 'loc'].map((ending) =>
    join(folder, `shard.${ending}`),
  )
  let seen = 0
  const onLines = (some: number) => {
    seen += some
  }
  const counts = await index.exportZipNum(folder, 'shard', { linesPerBlock: 300, onLines })
  expect(seen).toBe(lines.length)
  expect(counts).toMatchObject({ lines: lines.length, blocks: 9 })
  expect(readFileSync(locations!, 'utf8')).toBe('shard\tshard.cdx.gz\n')

  const bytes = readFileSync(cluster!)
  expect(gunzipSync(bytes)).toEqual(batchOf(lines))
  const summed = readFileSync(summary!, 'utf8').trimEnd().split('\n')
  const members = summed.map((line) => {
    const [head = '', part, offset, length] = line.split('\t')
    expect(part).toBe('shard')
    const member = gunzipSync(bytes.subarray(Number(offset), Number(offset) + Number(length))).toString()
    expect(member.startsWith(`${head} `)).toBe(true)
    return member
  })
  expect(members.join('')).toBe(batchOf(lines).toString())
})
