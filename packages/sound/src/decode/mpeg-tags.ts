/**
 * Length of the description that begins at `at`: ID3v2, ID3v1, APE or Lyrics3. They stand before the sound, behind
 * it, and between files that were joined. Undefined if there is none.
 */
export const descriptionSize = (bytes: Buffer, at: number): number | undefined => {
  // Nearly always this is asked of a frame.
  if (bytes[at] === 0xff) return undefined
  const is = (mark: string) => bytes.toString('latin1', at, at + mark.length) === mark
  if (is('TAG+')) return 227
  if (is('TAG')) return 128
  if (is('APETAGEX')) return apeSize(bytes, at)
  // Its length is at its end: what follows is passed over as anything that is no frame.
  if (is('LYRICSBEGIN')) return 11
  return id3Size(bytes, at)
}

/** The longest beginning that is needed to recognise a description. */
export const descriptionBytes = 32

/** With its header, whose own 32 bytes the size leaves out. At the end of a file the same mark begins the footer. */
const apeSize = (bytes: Buffer, at: number): number => {
  if (at + 24 > bytes.length) return 32
  const isHeader = (bytes[at + 23]! & 0x20) !== 0
  return 32 + (isHeader ? bytes.readUInt32LE(at + 12) : 0)
}

/** Length of the whole ID3v2 tag that begins at `at`; undefined if none does. */
export const id3Size = (bytes: Buffer, at: number): number | undefined => {
  if (bytes[at] !== 0x49 || bytes[at + 1] !== 0x44 || bytes[at + 2] !== 0x33 || at + 10 > bytes.length)
    return undefined
  const size = bytes.subarray(at + 6, at + 10)
  if (bytes[at + 3] === 0xff || size.some((byte) => byte > 127)) return undefined
  const footer = bytes[at + 5]! & 16 ? 10 : 0
  return 10 + footer + size.reduce((sum, byte) => sum * 128 + byte, 0)
}
