import { utf8Text } from '../../runtime/utf8.ts'
import { quoted } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'

export const blockBytes = 512

/** Header block of a tar entry. */
export interface TarHeader {
  /** The bytes of the path: prefix and name. */
  readonly name: Buffer
  /** Bytes that follow. */
  readonly size: number
  /** `0` a file, `5` a folder, … */
  readonly type: string
}

/** Undefined for a block of zeros, which ends a tar. */
export const readHeader = (block: Buffer): TarHeader | undefined => {
  if (block.every((byte) => byte === 0)) return undefined
  if (!hasItsSum(block)) throw new Error('a header is damaged, or it is no tar')
  const type = block.toString('latin1', 156, 157)
  const name = text(block, 0, 100)
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isPosix ? text(block, 345, 500) : Buffer.alloc(0)
  return {
    name: prefix.length > 0 ? Buffer.concat([prefix, slash, name]) : Buffer.from(name),
    size: sizeIn(block.subarray(124, 136)),
    type: type === '\0' ? '0' : type,
  }
}

const slash = Buffer.from('/')

const text = (block: Buffer, from: number, to: number): Buffer => {
  const end = block.subarray(0, to).indexOf(0, from)
  return block.subarray(from, end < 0 ? to : end)
}

/** Checks the sum of all bytes, with blanks for the sum itself. Old writers summed signed bytes. */
const hasItsSum = (block: Buffer): boolean => {
  const expected = octal(block.subarray(148, 156))
  let unsigned = 8 * 32
  let signed = unsigned
  for (let i = 0; i < blockBytes; i++) {
    if (i >= 148 && i < 156) continue
    unsigned += block[i]!
    signed += block.readInt8(i)
  }
  return expected === unsigned || expected === signed
}

const octal = (field: Buffer): number | undefined => {
  const digits = field.toString('latin1').replace(/\0.*$/s, '').trim()
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : undefined
}

/** Octal digits; in GNU tar, from 8 GiB on, a binary number marked by the highest bit. */
const sizeIn = (field: Buffer): number => {
  const size = field[0] === 0x80 ? Number(`0x${field.toString('hex', 1)}`) : octal(field)
  if (size === undefined || !Number.isSafeInteger(size)) throw new Error('a header has no size')
  return size
}

/** Parses records `<length> <name>=<value>\n`; values are bytes. */
export const readPax = (bytes: Buffer): ReadonlyMap<string, Buffer> => {
  const records = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(32, at)
    const digits = blank < 0 ? '' : bytes.toString('latin1', at, blank)
    const end = at + Number(digits)
    const equals = bytes.indexOf(61, blank)
    if (
      !/^\d{1,9}$/.test(digits) ||
      end > bytes.length ||
      bytes[end - 1] !== 10 ||
      equals < 0 ||
      equals >= end
    )
      throw new Error('an extended header is damaged')
    records.set(bytes.toString('latin1', blank + 1, equals), bytes.subarray(equals + 1, end - 1))
    at = end
  }
  return records
}

/**
 * X8. Decodes a name as the tar has it. Throws `UnusableContent` unless it is UTF-8: the encoding of other bytes is
 * unknown.
 */
export const textOf = (name: Buffer): string => {
  const text = utf8Text(name)
  if (text === undefined)
    throw new UnusableContent(
      `the name ${quoted(name.toString('latin1'))} (its bytes read as Latin-1) is no UTF-8, which a name in an object has to be; rename it and pack it again`,
    )
  return text
}
