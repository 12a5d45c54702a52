import { searchesFor } from './drift/speeds.ts'
import type { Clip, Pcm } from './finding.ts'
import { hop } from './settings.ts'

/** Clips of a group share the episode's transforms; too many would take long to the first finding. */
const maxClips = 16
/**
 * Parts of clips (`hop` samples each) whose spectra are in memory at once: 64 MiB. A longer clip has a group
 * of its own.
 */
const maxParts = 512

/** Number of takes, at most, of a clip: its mix, and channels that differ. */
const maxTakesOf = ({ differing = [] }: Pcm): number =>
  1 + Math.max(0, ...differing.map(({ channels }) => (channels === 2 ? 3 : channels)))

/**
 * Divides clips into groups that are searched for together, for the given number of threads. Clips of a group
 * have similar lengths, since its memory depends on the longest.
 */
export const groupsOf = (clips: readonly Clip[], threads: number, drift = 0): Clip[][] => {
  const size = Math.min(maxClips, Math.ceil(clips.length / threads))
  const groups: Clip[][] = []
  let parts = 0
  for (const clip of clips.toSorted((a, b) => a.recording.samples - b.recording.samples)) {
    const { samples } = clip.recording
    const more = maxTakesOf(clip.recording) * (Math.ceil(samples / hop) + searchesFor(samples, drift) - 1)
    const group = groups.at(-1)
    if (group && group.length < size && parts + more <= maxParts) {
      group.push(clip)
      parts += more
    } else {
      groups.push([clip])
      parts = more
    }
  }
  return groups
}
