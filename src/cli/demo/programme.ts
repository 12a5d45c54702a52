import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Curated } from '../../domain/research/curation-messages.ts'
import { jingle, mixIn, talk, wav } from './sound.ts'

/* A radio programme of three episodes, and four clips: three that were aired, one that never was. */

const clips: Readonly<Record<string, { readonly title: string; readonly sound: Float32Array }>> = {
  'opening-tune': { title: 'The opening tune', sound: jingle(3, 11) },
  'catch-phrase': { title: 'What the host always says', sound: talk(1.6, 23) },
  'station-call': { title: 'The station call', sound: jingle(1.8, 37) },
  'lost-outtake': { title: 'An outtake, never aired', sound: talk(2.2, 41) },
}

/** Which clip is where, in seconds, and how loud. A place is shown in tenths: none lies between two, where a microsecond would decide. */
const aired: Readonly<
  Record<string, readonly (readonly [clip: string, second: number, loudness: number])[]>
> = {
  'episode-1': [
    ['opening-tune', 0.5, 1],
    ['catch-phrase', 21.28, 0.9],
    ['station-call', 44, 0.7],
  ],
  'episode-2': [
    ['opening-tune', 1.28, 0.8],
    ['station-call', 30.5, 1],
    ['catch-phrase', 33.78, 0.6],
    ['catch-phrase', 52.5, 1],
  ],
  'episode-3': [
    ['opening-tune', 2, 0.5],
    ['station-call', 40.125, 0.8],
  ],
}

const seconds = 60

interface Programme {
  readonly episodes: readonly Curated[]
  readonly clips: readonly Curated[]
}

/** Writes the sound files. Returns what a curator sends about them. */
export const makeProgramme = async (folder: string): Promise<Programme> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const curate = async (
    id: string,
    title: string,
    sound: Float32Array,
    curatedAt: string,
  ): Promise<Curated> => {
    const file = join(folder, `${id}.wav`)
    await writeFile(file, wav(sound))
    return {
      id,
      title,
      mediaUri: pathToFileURL(file).href,
      mediaType: 'audio/wav',
      curator: 'demo',
      curatedAt,
    }
  }
  return {
    clips: await Promise.all(
      Object.entries(clips).map(([id, { title, sound }]) =>
        curate(id, title, sound, '2026-01-05T12:00:00.000Z'),
      ),
    ),
    episodes: await Promise.all(
      Object.entries(aired).map(([id, places], i) => {
        const background = talk(seconds, 100 + i).map((sample) => 0.6 * sample)
        let sound: Float32Array = background
        for (const [clip, at, loudness] of places) sound = mixIn(sound, clips[clip]!.sound, at, loudness)
        return curate(id, `Episode ${i + 1}`, sound, `2026-01-0${i + 1}T12:00:00.000Z`)
      }),
    ),
  }
}
