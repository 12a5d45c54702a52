import { searchesFor } from './drift/speeds.ts'
import type { Clip } from './finding.ts'
import { hop } from './settings.ts'

/** Clips of a group share the episode's transforms; too many would be long without a finding. */
const maxClips = 16
/** Parts of clips, of `hop` samples, whose spectra are in memory at once: 64 MiB. A longer clip goes alone. */
const maxParts = 512

/**
 * Groups of clips to search for together, for so many threads. Clips of a group are of like length: its memory goes by the longest.
 */
export const groupsOf = (clips: readonly Clip[], threads: number, drift = 0): Clip[][] => {
  const size = Math.min(maxClips, Math.ceil(clips.length / threads))
  const groups: Clip[][] = []
  let parts = 0
  for (const clip of clips.toSorted((a, b) => a.recording.samples - b.recording.samples)) {
    const more = Math.ceil(clip.recording.samples / hop) + searchesFor(clip.recording.samples, drift) - 1
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
