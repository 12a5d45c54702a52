import { describe, expect, it } from 'vitest'
import { packed } from './make-warc.ts'
import { type OddArc, oddArcs } from './odd-arcs.ts'
import { useReader } from './read-bytes.ts'

const placesOf = (pieces: readonly Buffer[]) => {
  let offset = 0
  return pieces.map(({ length }) => {
    offset += length
    return { offset: offset - length, length }
  })
}

const isCapture = (piece: Buffer) => !/^\s*filedesc:/.test(piece.toString('latin1'))

describe.each(oddArcs)('an ARC file with $name', ({ pieces, captures, warning }: OddArc) => {
  it('is read', async () => {
    const reading = await useReader('made.arc').readBytes(...pieces)
    expect(reading).toMatchObject({
      records: captures.map((place) => ({
        ...place,
        status: '200',
        contentType: 'text/html; charset=utf-8',
      })),
      summary: { records: pieces.length, warnings: warning ? [expect.stringMatching(warning)] : [] },
    })
  })

  it('is read, packed', async () => {
    const members = pieces.map((piece) => packed(piece))
    const places = placesOf(members).filter((_, i) => isCapture(pieces[i]!))
    expect(await useReader('made.arc.gz').readBytes(...members)).toMatchObject({
      records: places.map((place) => ({ ...place, status: '200' })),
      summary: { warnings: [] },
    })
  })

  it('is refused where it is cut within its last block, and the rest is salvaged', async () => {
    const { readBytes, salvageBytes } = useReader('made.arc')
    const cut = Buffer.concat(pieces)
    const [last, ...rest] = captures.toReversed()
    const parts = cut.subarray(0, last!.offset + last!.length - 5)
    expect(await readBytes(parts)).toMatchObject({ code: 'truncated', offset: last!.offset })
    expect(await salvageBytes(parts)).toMatchObject({ records: rest.toReversed() })
  })

  it('loses nothing in a salvage but the record that is damaged', async () => {
    const damaged = Buffer.concat(pieces)
    const [first, ...rest] = captures
    damaged.write('x', first!.offset + 4)
    damaged.fill('x', first!.offset + 20, first!.offset + 50)
    const salvaged = await useReader('made.arc').salvageBytes(damaged)
    const found = 'records' in salvaged ? salvaged.records.map(({ offset }) => offset) : []
    // Of two records without a line feed between them, the second is recognised by the end of the first.
    const isFound = ({ offset }: (typeof rest)[number]) => damaged[offset - 1] === 10
    expect(found).toEqual(rest.filter(isFound).map(({ offset }) => offset))
  })
})
