import { type Bytes, bytesOf } from '@fonds/bytes'
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'
import { OggOpusDecoder } from 'ogg-opus-decoder'
import { type Decoded, heard } from './flac.ts'
import { oggCoding } from './ogg-coding.ts'
import type { Decode } from './sound.ts'

/*
 * An Ogg file can be a chain of links, one behind the other, each with its own header, as recordings of
 * internet radio are. A decoder handles one link, so pages are assigned to links here.
 */

interface LinkDecoder {
  readonly ready: Promise<void>
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>
  flush(): Promise<Decoded>
  free(): void
}

interface Page {
  readonly serial: number
  readonly isFirst: boolean
  readonly bytes: Buffer
  readonly body: Buffer
}

const mark = Buffer.from('OggS', 'latin1')

export const decodeOgg: Decode = async function* (source) {
  const bytes = bytesOf(source)
  let link: { readonly serial: number; readonly decoder: LinkDecoder } | undefined
  try {
    for (let page = await nextPage(bytes); page; page = await nextPage(bytes)) {
      if (page.isFirst) {
        const open = decoders[oggCoding(page.body) ?? '']
        if (!open) continue
        if (link) yield* finish(link.decoder)
        link = { serial: page.serial, decoder: open() }
        await link.decoder.ready
      }
      if (link && page.serial === link.serial) yield* heard(await link.decoder.decode(page.bytes))
    }
    if (link) yield* finish(link.decoder)
    link = undefined
  } finally {
    link?.decoder.free()
  }
}

async function* finish(decoder: LinkDecoder) {
  yield* heard(await decoder.flush())
  decoder.free()
}

const nextPage = async (bytes: Bytes): Promise<Page | undefined> => {
  if (!(await bytes.skipTo(mark))) return undefined
  const head = Buffer.from(await bytes.take(27))
  if (head.length < 27) return undefined
  const table = Buffer.from(await bytes.take(head.readUInt8(26)))
  const size = table.reduce((sum, length) => sum + length, 0)
  const body = await bytes.take(size)
  if (body.length < size) return undefined
  return {
    serial: head.readUInt32LE(14),
    isFirst: (head.readUInt8(5) & 2) !== 0,
    bytes: Buffer.concat([head, table, body]),
    body,
  }
}

const decoders: Readonly<Record<string, () => LinkDecoder>> = {
  vorbis: () => new OggVorbisDecoder(),
  opus: () => new OggOpusDecoder(),
  flac: () => new FLACDecoder(),
}
