import { expect } from 'vitest'
import {
  arcRecord,
  arcVersion,
  frames,
  httpResponse,
  memberWithAllFields,
  packed,
  warcinfo,
  warcRecord,
} from './make-warc.ts'
import type { Reading, SeenRecord } from './read-bytes.ts'

/* Whole files, and what may come of them once they are damaged. */

export interface WholeFile {
  readonly name: string
  /** The records, or the members that hold them: a file that is cut between two of them is whole. */
  readonly pieces: readonly Buffer[]
  readonly isPacked: boolean
}

const warcRecords = [
  warcinfo(),
  warcRecord({ url: 'http://example.com/1' }),
  warcRecord({ type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' }),
  warcRecord({ url: 'http://example.com/2', block: httpResponse({ body: '<p>\r\n\r\nWARC/1.0\r\n\r\n' }) }),
  warcRecord({ type: 'revisit', block: '' }),
]
const arcRecords = [arcVersion(), arcRecord(), arcRecord({ url: 'http://example.com/a b', block: '' })]

export const wholeFiles: readonly WholeFile[] = [
  { name: 'whole.warc', pieces: warcRecords, isPacked: false },
  { name: 'whole.warc.gz', pieces: warcRecords.map((record) => packed(record)), isPacked: true },
  { name: 'whole.warc.zst', pieces: warcRecords.map((record) => frames([record])), isPacked: true },
  { name: 'fields.warc.gz', pieces: warcRecords.slice(0, 2).map(memberWithAllFields), isPacked: true },
  { name: 'whole.arc', pieces: arcRecords, isPacked: false },
  { name: 'whole.arc.gz', pieces: arcRecords.map((record) => packed(record)), isPacked: true },
]

/** Bytes of line ends behind each record. */
const lineEnds: Readonly<Record<string, number>> = { 'whole.warc': 4, 'whole.arc': 1 }

/** Places where a file may be cut and is whole: the line ends that part records need not stand behind the last. */
export const borders = ({ name, pieces }: WholeFile): ReadonlySet<number> => {
  const places = new Set<number>()
  let end = 0
  for (const piece of pieces) {
    end += piece.length
    places.add(end)
    for (let by = 1; by <= (lineEnds[name] ?? 0); by++) places.add(end - by)
  }
  return places
}

/** Around each border, and here and there. */
export const someCuts = (file: WholeFile): readonly number[] => {
  const length = Buffer.concat(file.pieces).length
  const near = [...borders(file)].flatMap((border) =>
    [-9, -8, -4, -2, -1, 0, 1, 2, 5, 10].map((by) => border + by),
  )
  const between = Array.from({ length: 30 }, (_, i) => Math.floor((i * length) / 30))
  return [...new Set([...near, ...between])].filter((place) => place >= 0 && place <= length)
}

const failed = { code: expect.any(String), reason: expect.stringMatching(/\S \S/) }

const recordsOf = (whole: Reading): readonly SeenRecord[] => {
  if ('records' in whole) return whole.records
  throw new Error(whole.reason)
}

/** What is left of a file fails, or is a shorter whole file. */
export const expectCut = (file: WholeFile, whole: Reading, place: number, reading: Reading): void => {
  const records = recordsOf(whole).filter(({ offset }) => offset < place)
  expect(reading, `${file.name} cut at ${place}`).toMatchObject(
    borders(file).has(place) ? { records } : failed,
  )
}

/** Nothing is lost or changed in silence, where there is a checksum: a bit of a header of gzip may mean nothing. */
export const expectFlipped = (file: WholeFile, whole: Reading, bit: number, reading: Reading): void => {
  const isUnseen = 'records' in reading
  const expected = isUnseen ? { records: file.isPacked ? recordsOf(whole) : expect.any(Array) } : failed
  expect(reading, `${file.name} with bit ${bit} flipped`).toMatchObject(expected)
}

export const flipBit = (bytes: Buffer, bit: number): Buffer => {
  const damaged = Buffer.from(bytes)
  damaged[bit >> 3]! ^= 1 << (bit & 7)
  return damaged
}
