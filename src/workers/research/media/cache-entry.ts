import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { trackSamples } from '@fonds/sound'
import * as t from 'io-ts'
import { Gaps } from '../../../domain/research/terms.ts'

const Validators = t.partial({ etag: t.string, lastModified: t.string }, 'validators')

/** One recording: `<key>.json`, which names its file of samples. It is created by an atomic rename. */
const Entry = t.intersection(
  [
    t.type({
      uri: t.string,
      /** Digest of the media file, as fetched. */
      hash: t.string,
      bytes: t.number,
      rate: t.number,
      samples: t.number,
      /** Name of the file with the samples. */
      pcm: t.refinement(t.string, (s) => /^[0-9a-f.-]+\.pcm$/.test(s), 'name of a file of samples'),
      /** Time at which the media was last validated. */
      checkedAt: t.string,
    }),
    /** Stretches whose channels differ, the tracks of which are behind the samples. */
    t.partial({ differing: t.readonlyArray(t.type({ from: t.number, to: t.number, channels: t.number })) }),
    /** Stretches that cannot be decoded. */
    t.partial({ gaps: Gaps }),
    Validators,
  ],
  'entry',
)
export type Entry = t.TypeOf<typeof Entry>

/**
 * Incremented when the same file is decoded to different samples: earlier samples are not used, and evicted in time.
 */
const decoding = 3

/** Media to fetch, and the addresses allowed for it. */
export interface Wanted {
  readonly uri: string
  /** From public addresses alone: content that others fetched from an internal one is not shared. */
  readonly publicOnly: boolean
}

/** Returns the key of a recording. Several rates can share a folder. */
export const keyOf = ({ uri, publicOnly }: Wanted, rate: number): string =>
  createHash('sha256')
    .update(`${decoding} ${rate} ${publicOnly ? 'public ' : ''}${uri}`)
    .digest('hex')

/** Returns the name of the file that describes an entry. */
export const nameOf = (key: string): string => `${key}.json`

export const keyIn = (name: string): string | undefined => /^([0-9a-f]+)\.json$/.exec(name)?.[1]

export const pcmBytes = ({ samples, differing = [] }: Pick<Entry, 'samples' | 'differing'>): number =>
  (samples + trackSamples(differing)) * 2

/** Undefined if the entry is missing or incomplete. */
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
