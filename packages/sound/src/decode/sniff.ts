import { frameAt } from './mpeg-frame.ts'
import { isFollowed } from './mpeg-frames.ts'
import { id3Size } from './mpeg-tags.ts'
import { oggCoding } from './ogg-coding.ts'

/** Files that can be decoded. `mp3` is MPEG audio of any layer; `ogg` holds Vorbis, Opus or FLAC. */
export type AudioKind = 'mp3' | 'wav' | 'flac' | 'ogg'

/**
 * The kind of a file. `start` is the offset of its first byte behind ID3 tags. `instead` describes, for
 * people, a file that is not sound or cannot be decoded; it continues "is". A `page` is text, which servers
 * send in place of a file.
 */
export type Sniffed =
  | { readonly kind: AudioKind; readonly start: number }
  | { readonly kind: 'page' | 'other'; readonly instead: string }

const headBytes = 64 * 1024

/** Reads `length` bytes of a file from `position` on; fewer at the end, none behind it. */
export type ReadBytes = (length: number, position: number) => Promise<Buffer>

/** Detects the kind of a file by its bytes, not its name or media type. Throws any error of `read`. */
export const sniff = async (read: ReadBytes): Promise<Sniffed> => {
  let start = 0
  for (;;) {
    const head = await read(headBytes, start)
    if (head.length === 0) return { kind: 'other', instead: start === 0 ? 'empty' : 'nothing but an ID3 tag' }
    const tag = id3Size(head, 0)
    if (tag === undefined) {
      const found = kindOf(head)
      return 'instead' in found ? found : { ...found, start }
    }
    start += tag
  }
}

type Kind = { readonly kind: AudioKind } | Extract<Sniffed, { instead: string }>

const kindOf = (head: Buffer): Kind => {
  const is = (mark: string, at = 0) => head.toString('latin1', at, at + mark.length) === mark
  if (['RIFF', 'RF64', 'BW64'].some((mark) => is(mark)) && is('WAVE', 8)) return { kind: 'wav' }
  if (is('fLaC')) return { kind: 'flac' }
  if (is('OggS')) return ofOgg(head)
  const container = containers.find(({ mark, at }) => is(mark, at))
  if (container) return other(container.name)
  if ((head[0] === 0xff && (head[1]! & 0xf6) === 0xf0) || is('ADIF')) return other('AAC')
  const text = ofText(head)
  if (text) return text
  return ofMpeg(head) ?? other(noKindKnown)
}

/** Nothing that a person would know by a name. */
export const noKindKnown = 'nothing that is known as audio'

const other = (instead: string): Kind => ({ kind: 'other', instead })

/** Reads the first page of each of its streams, which stand at the beginning of the file. */
const ofOgg = (head: Buffer): Kind => {
  const codings = new Set<string | undefined>()
  for (let at = 0; at >= 0 && (head[at + 5]! & 2) !== 0; at = head.indexOf('OggS', at + 4, 'latin1'))
    codings.add(oggCoding(head.subarray(at + 27 + (head[at + 26] ?? 0))))
  if (codings.has('theora')) return other('video (Ogg Theora)')
  if (codings.has('vorbis') || codings.has('opus') || codings.has('flac')) return { kind: 'ogg' }
  return other(codings.has('speex') ? 'Ogg Speex' : 'Ogg without Vorbis, Opus or FLAC')
}

const containers = [
  { mark: 'ftypM4A', at: 4, name: 'MPEG-4 audio (m4a)' },
  { mark: 'ftyp', at: 4, name: 'an MPEG-4 container (mp4, mov, m4a)' },
  { mark: '\x1aE\xdf\xa3', at: 0, name: 'a Matroska or WebM container' },
  { mark: 'AVI ', at: 8, name: 'video (AVI)' },
  { mark: 'FLV', at: 0, name: 'video (Flash)' },
  { mark: '\x00\x00\x01\xba', at: 0, name: 'video (MPEG)' },
  { mark: '0&\xb2u', at: 0, name: 'Windows Media' },
  { mark: 'AIF', at: 8, name: 'AIFF' },
  { mark: 'RIFX', at: 0, name: 'big-endian WAVE' },
  { mark: 'caff', at: 0, name: 'Core Audio' },
  { mark: '.snd', at: 0, name: 'Sun audio' },
  { mark: 'MThd', at: 0, name: 'MIDI' },
  { mark: 'wvpk', at: 0, name: 'WavPack' },
  { mark: 'MAC ', at: 0, name: "Monkey's Audio" },
  { mark: '#!AMR', at: 0, name: 'AMR' },
  { mark: '\x89PNG', at: 0, name: 'a picture' },
  { mark: '\xff\xd8\xff', at: 0, name: 'a picture' },
  { mark: 'GIF8', at: 0, name: 'a picture' },
  { mark: '%PDF', at: 0, name: 'a PDF document' },
  { mark: 'PK\x03\x04', at: 0, name: 'a ZIP archive' },
  { mark: '\x1f\x8b', at: 0, name: 'compressed with gzip' },
]

const ofText = (head: Buffer): Kind | undefined => {
  const text = head
    .toString('utf8', 0, 1024)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (/^<(!doctype html|html|head|body|!--)/i.test(text)) return { kind: 'page', instead: 'a web page' }
  if (/^<(\?xml|rss|feed|[a-z]+[ >])/i.test(text)) return { kind: 'page', instead: 'XML' }
  if (/^(\{\s*("|\})|\[\s*(\{|"|\]))/.test(text)) return { kind: 'page', instead: 'JSON' }
  if (/^(#EXTM3U|\[playlist\])/i.test(text)) return { kind: 'page', instead: 'a playlist' }
  if (/^https?:\/\/\S+\s*$/.test(text)) return { kind: 'page', instead: 'an address' }
  return undefined
}

/** Requires three frames that follow one another, or the file's end behind them: one header soon occurs by chance. */
const ofMpeg = (head: Buffer): Kind | undefined => {
  const isEnd = head.length < headBytes
  for (let at = head.indexOf(0xff); at >= 0; at = head.indexOf(0xff, at + 1)) {
    const frame = frameAt(head, at)
    if (frame && isFollowed(head, at, frame, 2, isEnd)) return { kind: 'mp3' }
  }
  return undefined
}
