import { crc32 } from 'node:zlib'
import { utf8Text } from '../../runtime/utf8.ts'
import { quoted } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'
import { withoutDot } from './entry.ts'

/** A file's name in a zip's central directory. */
export interface ZipName {
  readonly bytes: Buffer
  /** General purpose bit 11. */
  readonly isUtf8: boolean
  /** The file system it was packed on: 0 is MS-DOS, which Windows tools write, too. */
  readonly madeOn: number
  readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[]
}

/**
 * X8. Decodes a name as unzip and Python's zipfile agree: UTF-8 if the zip is marked so, or repeats the name in UTF-8;
 * for MS-DOS, letters that are equal in its code pages; UTF-8 otherwise. Throws `UnusableContent` if none of these
 * applies: the encoding is unknown.
 */
export const zipName = (name: ZipName): string => {
  const { bytes, isUtf8, madeOn } = name
  const repeated = unicodePath(name)
  const path = repeated
    ? utf8Text(repeated)
    : ((isUtf8 || madeOn !== msDos ? undefined : agreed(bytes)) ?? utf8Text(bytes))
  if (path === undefined)
    throw new UnusableContent(
      `the name ${quoted(bytes.toString('latin1'))} (its bytes read as Latin-1) is no UTF-8, and the zip does not say what else; pack it again with names in UTF-8`,
    )
  // MS-DOS has no names with backslashes: some of its tools write them as separators.
  return withoutDot(madeOn === msDos ? path.replaceAll('\\', '/') : path)
}

const msDos = 0

/** Info-ZIP's field, if it belongs to this name: a version (1), the checksum of the name, and the name in UTF-8. */
const unicodePath = ({ bytes, extraFields }: ZipName): Uint8Array | undefined => {
  const data = extraFields.find(({ id }) => id === 0x7075)?.data
  const isOfName = data && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(bytes)
  return isOfName ? data.subarray(5) : undefined
}

/**
 * Characters that are equal in code pages 437, which Python uses, and 850, which unzip uses: from 0x80 to 0xAF, and a
 * few above.
 */
const letters: ReadonlyMap<number, string> = new Map([
  ...[...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûù ÖÜ £   áíóúñÑªº¿ ¬½¼¡«»'].flatMap((letter, i) =>
    letter === ' ' ? [] : [[0x80 + i, letter] as const],
  ),
  ...([
    [0xe1, 'ß'],
    [0xe6, 'µ'],
    [0xf1, '±'],
    [0xf6, '÷'],
    [0xf8, '°'],
    [0xfa, '·'],
    [0xfd, '²'],
    [0xff, '\u00a0'],
  ] as const),
])

const agreed = (bytes: Uint8Array): string | undefined => {
  const read = [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : letters.get(byte)))
  return read.includes(undefined) ? undefined : read.join('')
}
