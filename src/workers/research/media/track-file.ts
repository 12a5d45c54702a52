import { type FileHandle, open, rm } from 'node:fs/promises'
import type { DifferingStretch } from '@fonds/sound'
import type { DifferingChannels } from '@fonds/sound/decode'

/** Tracks of channels that differ, kept aside until all of the mix is written. */
interface TrackFile extends AsyncDisposable {
  put(found: DifferingChannels): Promise<void>
  appendTo(target: FileHandle, onProgress: () => void): Promise<void>
  /** In order, adjacent ones as one. */
  stretches(): readonly DifferingStretch[]
}

const bytesAtOnce = 1024 * 1024

/** `write` writes samples to a file that it is given. The file aside has no name: it ends with its process. */
export const createTrackFile = (
  path: string,
  write: (file: FileHandle, samples: Int16Array<ArrayBuffer>) => Promise<void>,
): TrackFile => {
  let aside: FileHandle | undefined
  const stretches: { from: number; to: number; channels: number }[] = []

  const openAside = async (): Promise<FileHandle> => {
    const name = `${path}.new`
    const file = await open(name, 'wx+')
    await rm(name)
    return file
  }
  const note = ({ from, channels, tracks }: DifferingChannels) => {
    const to = from + tracks[0]!.length
    const last = stretches.at(-1)
    if (last?.to === from && last.channels === channels) last.to = to
    else stretches.push({ from, to, channels })
  }

  return {
    put: async (found) => {
      aside ??= await openAside()
      await write(aside, interleaved(found.tracks))
      note(found)
    },
    appendTo: async (target, onProgress) => {
      if (!aside) return
      const bytes = Buffer.alloc(bytesAtOnce)
      for (let at = 0; ; ) {
        const { bytesRead } = await aside.read(bytes, 0, bytes.length, at)
        if (bytesRead === 0) return
        await target.writeFile(bytes.subarray(0, bytesRead))
        at += bytesRead
        onProgress()
      }
    },
    stretches: () => stretches,
    [Symbol.asyncDispose]: async () => aside?.close(),
  }
}

/** A sample of each track in turn. */
const interleaved = (tracks: DifferingChannels['tracks']): Int16Array<ArrayBuffer> => {
  const [first, ...others] = tracks
  if (others.length === 0) return first!
  const all = new Int16Array(first!.length * tracks.length)
  for (const [k, track] of tracks.entries())
    for (let i = 0; i < track.length; i++) all[i * tracks.length + k] = track[i]!
  return all
}
