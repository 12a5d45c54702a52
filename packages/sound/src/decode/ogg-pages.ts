import { bytesOf } from '@fonds/bytes'
import { crc32 } from './crc.ts'

export interface Page {
  /** Bytes before it that are no pages. */
  readonly passedOver: number
  readonly serial: number
  readonly sequence: number
  /** Undefined if no packet ends in the page. */
  readonly granule: number | undefined
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Its first packet began in the page before. */
  readonly isContinued: boolean
  /** Its last packet goes on in the next page. */
  readonly goesOn: boolean
  readonly packets: readonly Buffer[]
  /** Its checksum is wrong, but another page follows where it ends. */
  readonly isDamaged: boolean
}

const mark = Buffer.from('OggS', 'latin1')
const headBytes = 27
const bytesAtOnce = 64 * 1024

/** The bytes behind the last page. */
interface End {
  readonly isEnd: true
  readonly passedOver: number
}

/** Finds the pages of an Ogg file. Passes over what is damaged. */
export async function* oggPages(source: AsyncIterable<Uint8Array>): AsyncGenerator<Page | End> {
  const bytes = bytesOf(source)
  let passedOver = 0
  let held: Buffer = Buffer.alloc(0)
  for (let isEnd = false; !isEnd; ) {
    const chunk = await bytes.some(bytesAtOnce)
    isEnd = chunk.length === 0
    held = Buffer.concat([held, chunk])
    let from = 0
    for (;;) {
      const at = held.indexOf(mark, from)
      const next = at < 0 ? Math.max(from, held.length - (isEnd ? 0 : mark.length - 1)) : at
      passedOver += next - from
      from = next
      const size = at < 0 ? undefined : sizeAt(held, at)
      // The mark of the page behind it is needed, too.
      if (at < 0 || (!isEnd && (size === undefined || at + size + mark.length > held.length))) break
      const page = size === undefined ? undefined : pageAt(held, at, size)
      if (page) yield { ...page, passedOver }
      passedOver = page ? 0 : passedOver + 1
      from = page ? at + (size ?? 0) : at + 1
    }
    held = held.subarray(from)
  }
  yield { isEnd: true, passedOver }
}

/** Undefined if more bytes are needed. */
const sizeAt = (bytes: Buffer, at: number): number | undefined => {
  const segments = bytes[at + headBytes - 1]
  if (segments === undefined || at + headBytes + segments > bytes.length) return undefined
  let size = headBytes + segments
  for (let i = 0; i < segments; i++) size += bytes[at + headBytes + i]!
  return size
}

/** Undefined if there is no page: its mark occurred by chance, or its length is damaged. */
const pageAt = (bytes: Buffer, at: number, size: number): Omit<Page, 'passedOver'> | undefined => {
  const end = at + size
  if (end > bytes.length || bytes[at + 4] !== 0) return undefined
  const page = bytes.subarray(at, end)
  const isDamaged = checksum(page) !== page.readUInt32LE(22)
  const isFollowed = end === bytes.length || bytes.indexOf(mark, end) === end
  if (isDamaged && !isFollowed) return undefined
  const flags = page.readUInt8(5)
  const granule = page.readBigInt64LE(6)
  return {
    serial: page.readUInt32LE(14),
    sequence: page.readUInt32LE(18),
    granule: granule >= 0n && granule < 2n ** 53n ? Number(granule) : undefined,
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    ...packetsOf(page),
    isDamaged,
  }
}

const checksum = (page: Buffer): number => {
  const copy = Buffer.from(page)
  copy.writeUInt32LE(0, 22)
  return crc32(copy)
}

const packetsOf = (page: Buffer): Pick<Page, 'packets' | 'goesOn'> => {
  const segments = page.readUInt8(headBytes - 1)
  const packets: Buffer[] = []
  let from = headBytes + segments
  let to = from
  let length = 0
  for (let i = 0; i < segments; i++) {
    length = page[headBytes + i]!
    to += length
    if (length === 255) continue
    packets.push(page.subarray(from, to))
    from = to
  }
  const goesOn = segments > 0 && length === 255
  if (goesOn) packets.push(page.subarray(from, to))
  return { packets, goesOn }
}
