import { expect, it } from 'vitest'
import { createInflater } from '../src/bytes/inflater.ts'
import { openRecords } from '../src/open-records.ts'
import type { Source } from '../src/source.ts'
import { wholeFiles } from './damage.ts'
import { frames, httpResponse, packed, skippable, warcRecord } from './make-warc.ts'
import { type SeenRecord, seeing } from './read-bytes.ts'
import { zstdDictionary } from './zstd-dictionary.ts'

/* A Node without the internals that the reader steps over: the same comes of public calls. */

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: (offset, buffer) => bytes.copy(buffer, 0, offset),
})

const readBy = (bytes: Buffer, usesInternals: boolean): readonly SeenRecord[] => {
  const inflater = createInflater({ usesInternals })
  const records: SeenRecord[] = []
  try {
    const { step } = openRecords(
      sourceOf(bytes),
      inflater,
      seeing((record) => void records.push(record)),
    )
    while (step(100_000));
    return records
  } finally {
    inflater.close()
  }
}

const large = warcRecord({ block: httpResponse({ body: Buffer.alloc(5_000_000, 'all work and no play ') }) })
const files: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(wholeFiles.map(({ name, pieces }) => [name, Buffer.concat(pieces)])),
  'large.warc.gz': packed(large, warcRecord(), large),
  'large.warc.zst': frames([large, warcRecord(), large]),
  'dictionary.warc.zst': Buffer.concat([
    skippable(zstdDictionary, 0x5d),
    frames([warcRecord(), large, warcRecord()], zstdDictionary),
  ]),
}

it.each(Object.keys(files))('%s', (name) => {
  const bytes = files[name]!
  const records = readBy(bytes, true)
  expect(records.length).toBeGreaterThan(0)
  expect(readBy(bytes, false)).toEqual(records)
  expect(() => readBy(bytes.subarray(0, -20), false)).toThrow(/./)
})
