import { crc32 } from 'node:zlib'
import { utf8Text } from '../../runtime/utf8.ts'
import { quoted } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'
import { withoutDot } from './entry.ts'

/** What a zip's directory says of a file's name. */
export interface ZipName {
  readonly bytes: Buffer
  /** General purpose bit 11. */
  readonly isUtf8: boolean
  /** The file system it was packed on: 0 is MS-DOS, and what Windows packs. */
  readonly madeOn: number
  readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[]
}

/**
 * X8. A name as unzip and Python's zipfile agree: UTF-8 where the zip says so, or says the name once more in UTF-8; of MS-DOS, the letters
 * that are the same in its code pages. What it does not say is taken for UTF-8. Where none of this reads it, nobody knows what it spells: throws
 * `UnusableContent`.
 */
export const zipName = (name: ZipName): string => {
  const { bytes, isUtf8, madeOn } = name
  const repeated = unicodePath(name)
  const path = repeated
    ? utf8Text(repeated)
    : ((isUtf8 || madeOn !== msDos ? undefined : agreed(bytes)) ?? utf8Text(bytes))
  if (path === undefined)
    throw new UnusableContent(
      `the name ${quoted(bytes.toString('latin1'))} (its bytes read as Latin-1) is no UTF-8, and the zip does not say what else; pack it anew with names in UTF-8`,
    )
  // MS-DOS has no names with backslashes: some of its tools write them for slashes.
  return withoutDot(madeOn === msDos ? path.replaceAll('\\', '/') : path)
}

const msDos = 0

/** Info-ZIP's field, where it is of this name: a version (1), the checksum of the name, and the name in UTF-8. */
const unicodePath = ({ bytes, extraFields }: ZipName): Uint8Array | undefined => {
  const data = extraFields.find(({ id }) => id === 0x7075)?.data
  const isOfName = data && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(bytes)
  return isOfName ? data.subarray(5) : undefined
}

/** Where code pages 437, which Python takes, and 850, which unzip takes, have the same: from 0x80 to 0xAF, and a few behind. */
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
