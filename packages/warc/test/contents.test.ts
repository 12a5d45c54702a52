import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UnreadableArchive } from '../src/read-failure.ts'
import { readRecords } from '../src/read-file.ts'
import { salvageRecords } from '../src/salvage/salvage-records.ts'
import type { SourceFile } from '../src/source.ts'
import { packed, warcRecord } from './make-warc.ts'
import { seeing, useReader } from './read-bytes.ts'

const [one, other] = ['one', 'other'].map((url) =>
  packed(warcRecord({ url: `http://example.com/${url}` })),
) as [Buffer, Buffer]

/** A file of two archive files, behind each a few other bytes. */
const contentsOf = (first: Buffer, second: Buffer, damage?: string) => async () => ({
  archives: [
    { name: 'first', from: 3, bytes: sourceOf(first) },
    {
      name: 'second',
      from: 3 + first.length + 5,
      bytes: sourceOf(second),
      end: () => ({ warnings: ['second is odd'], ...(damage && { damage }) }),
    },
  ],
  warnings: ['the file is odd'],
})

const sourceOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: (offset: number, buffer: Buffer) => bytes.copy(buffer, 0, offset),
})

const reader = (...parts: readonly Buffer[]) => {
  const { path } = useReader()
  writeFileSync(path, Buffer.concat(parts))
  return path
}

describe('archive files within a file', () => {
  it('are read one after the other, each record with its offset in the file', async () => {
    const seen: number[] = []
    const visit = seeing(({ offset }) => void seen.push(offset))
    const read = await readRecords(reader(one), visit, { contents: contentsOf(one, other) })
    expect(read).toMatchObject({
      records: 2,
      warnings: ['the file is odd', expect.any(String), expect.any(String), 'second is odd'],
    })
    expect(seen).toEqual([3, 3 + one.length + 5])
  })

  it('fail with their name and the offset in the file', async () => {
    const cut = other.subarray(0, -4)
    await expect(
      readRecords(reader(one), () => undefined, { contents: contentsOf(one, cut) }),
    ).rejects.toMatchObject({
      failure: { code: 'truncated', offset: 3 + one.length + 5, reason: expect.stringMatching(/^second: /) },
    })
    const damaged = { contents: contentsOf(one, other, 'second has another checksum') }
    await expect(readRecords(reader(one), () => undefined, damaged)).rejects.toMatchObject({
      failure: { code: 'corrupt', reason: 'second has another checksum' },
    })
  })

  it('are salvaged one by one: of one that is no archive all is lost', async () => {
    const none = Buffer.from('nothing of use')
    const salvaged = await salvageRecords(reader(one), () => undefined, { contents: contentsOf(one, none) })
    const from = 3 + one.length + 5
    expect(salvaged).toMatchObject({
      records: 1,
      loss: { bytes: none.length, places: 1, lost: [{ from, to: from + none.length }] },
    })
    await expect(
      salvageRecords(reader(one), () => undefined, { contents: contentsOf(none, none) }),
    ).rejects.toThrow(UnreadableArchive)
  })
})

describe('a file that its caller opened', () => {
  const opened = (bytes: Buffer, hasChanged = false) => {
    let closed = 0
    const file: SourceFile = {
      ...sourceOf(bytes),
      modifiedAt: new Date(0),
      hasChanged: () => hasChanged,
      close: () => void closed++,
    }
    return { file, closed: () => closed }
  }

  it('is read as one on disk, and closed', async () => {
    const { file, closed } = opened(Buffer.concat([one, other]))
    expect(await readRecords(file, () => undefined, { name: 'a.warc.gz' })).toEqual({
      records: 2,
      size: one.length + other.length,
      modifiedAt: new Date(0),
      warnings: [],
    })
    expect(closed()).toBe(1)
  })

  it('is growing where it says that it has changed, damaged or not', async () => {
    for (const bytes of [one, one.subarray(0, -4)]) {
      const { file, closed } = opened(bytes, true)
      await expect(readRecords(file, () => undefined)).rejects.toMatchObject({ failure: { code: 'growing' } })
      expect(closed()).toBe(1)
    }
  })
})
