import { type DifferingStretch, tracksOf } from '../decode/tracks.ts'
import type { Pcm } from './finding.ts'
import type { PcmFile, Samples } from './pcm-file.ts'

/*
 * A search looks through the voices of a recording: the mix of its channels and, where they differ, each channel. Of two
 * channels also half their difference: it is the mix of a recording that has one of them upside down.
 */

export type VoiceKind = 'mix' | 'channel of two' | 'difference of two' | 'channel of many'

/** The mix, or a part of it that differs from it in some stretches and is the mix elsewhere. */
export interface Voice extends Samples {
  readonly kind: VoiceKind
  /** Returns true if it differs from the mix somewhere in the range of samples. */
  differs(from: number, to: number): boolean
}

/** A stretch, and the samples of tracks before its own. */
interface Placed extends DifferingStretch {
  readonly first: number
}

/** Returns the mix and whatever differs from it anywhere. */
export const voicesOf = ({ differing = [] }: Pcm, file: PcmFile): readonly Voice[] => {
  const mix: Voice = { kind: 'mix', samples: file.samples, read: file.read, differs: () => true }
  const byCount = Map.groupBy(placed(differing), ({ channels }) => channels)
  return [mix, ...[...byCount].flatMap(([channels, stretches]) => voicesIn(file, channels, stretches))]
}

const placed = (differing: readonly DifferingStretch[]): readonly Placed[] => {
  let first = 0
  return differing.map((stretch) => {
    const one = { ...stretch, first }
    first += (stretch.to - stretch.from) * tracksOf(stretch.channels)
    return one
  })
}

const voicesIn = (file: PcmFile, channels: number, stretches: readonly Placed[]): readonly Voice[] =>
  channels === 2
    ? [
        // First: where it is searched, channels that are like it need not be.
        voice(file, stretches, 'difference of two', (into, track) => into.set(track)),
        voice(file, stretches, 'channel of two', (into, track) => add(into, track, 1)),
        voice(file, stretches, 'channel of two', (into, track) => add(into, track, -1)),
      ]
    : Array.from({ length: channels }, (_, channel) =>
        voice(file, stretches, 'channel of many', (into, tracks) => {
          for (let i = 0, k = channel; i < into.length; i++, k += channels) into[i] = tracks[k]!
        }),
      )

const add = (into: Int16Array, track: Int16Array, sign: 1 | -1): void => {
  for (let i = 0; i < into.length; i++)
    into[i] = Math.max(-32_768, Math.min(32_767, into[i]! + sign * track[i]!))
}

const voice = (
  file: PcmFile,
  stretches: readonly Placed[],
  kind: VoiceKind,
  /** Makes the voice of samples of the mix and of the tracks. */
  change: (into: Int16Array, tracks: Int16Array) => void,
): Voice => {
  const within = (from: number, to: number) =>
    stretches.filter((stretch) => stretch.from < to && stretch.to > from)
  const read = (first: number, into: Int16Array) => {
    file.read(first, into)
    const last = Math.min(first + into.length, file.samples)
    for (const { from, to, channels, first: before } of within(first, last)) {
      const start = Math.max(from, first)
      const end = Math.min(to, last)
      const tracks = new Int16Array((end - start) * tracksOf(channels))
      file.readTracks(before + (start - from) * tracksOf(channels), tracks)
      change(into.subarray(start - first, end - first), tracks)
    }
  }
  return { kind, samples: file.samples, read, differs: (from, to) => within(from, to).length > 0 }
}
