/** The coding that the first packet of a link names; undefined if it is unknown. */
export const oggCoding = (packet: Buffer): string | undefined => {
  const text = packet.toString('latin1', 0, 8)
  return Object.keys(beginnings).find((coding) => text.startsWith(beginnings[coding] ?? ''))
}

const beginnings: Readonly<Record<string, string>> = {
  vorbis: '\x01vorbis',
  opus: 'OpusHead',
  flac: '\x7fFLAC',
  theora: '\x80theora',
  speex: 'Speex   ',
}
