import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'

const Validators = t.partial({ etag: t.string, lastModified: t.string }, 'validators')

/** One recording: `<key>.json`, which names its samples. It takes its name atomically. */
const Entry = t.intersection(
  [
    t.type({
      uri: t.string,
      /** Of the media, as fetched. */
      hash: t.string,
      bytes: t.number,
      rate: t.number,
      samples: t.number,
      /** Name of the file with the samples. */
      pcm: t.refinement(t.string, (s) => /^[0-9a-f.-]+\.pcm$/.test(s), 'name of a file of samples'),
      /** When the media was last validated. */
      checkedAt: t.string,
    }),
    Validators,
  ],
  'entry',
)
export type Entry = t.TypeOf<typeof Entry>

/** Changes when the same file is decoded into other samples: what was decoded before is not used, and goes in time. */
const decoding = 2

/** What is fetched, and from where. */
export interface Wanted {
  readonly uri: string
  /** From public addresses alone: what others had from an inner one is none of it. */
  readonly publicOnly: boolean
}

/** Of a recording. Several rates can share a folder. */
export const keyOf = ({ uri, publicOnly }: Wanted, rate: number): string =>
  createHash('sha256')
    .update(`${decoding} ${rate} ${publicOnly ? 'public ' : ''}${uri}`)
    .digest('hex')

/** Of the file that describes an entry. */
export const nameOf = (key: string): string => `${key}.json`

export const keyIn = (name: string): string | undefined => /^([0-9a-f]+)\.json$/.exec(name)?.[1]

export const pcmBytes = ({ samples }: Pick<Entry, 'samples'>): number => samples * 2

/** Undefined where there is none, or not all of it. */
export const readEntry = (folder: string, key: string): Entry | undefined => {
  try {
    const read = Entry.decode(JSON.parse(readFileSync(join(folder, nameOf(key)), 'utf8')))
    if (read._tag === 'Left') return undefined
    const entry = read.right
    return statSync(join(folder, entry.pcm)).size === pcmBytes(entry) ? entry : undefined
  } catch {
    return undefined
  }
}
