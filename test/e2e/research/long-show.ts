import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import { rate, talk, wav } from '../../../src/cli/demo/sound.ts'
import { curate, ids, sighting } from './curating.ts'
import { type Lives, pairName } from './expectations.ts'

/* An hour of talk, which takes seconds for each group of clips that is looked for. */

const seconds = 3600
/** More than are looked for at once. */
export const clips = ids('c', 24)
const isThere = (n: number): boolean => n % 2 === 0
const placeOf = (n: number): number => 30.5 + 140 * n

/** Files in the folder, curated. */
export const curateLongShow = async (system: System, folder: string): Promise<void> => {
  const sounds = clips.map((_, n) => talk(1, 500 + n))
  const show = new Float32Array(seconds * rate)
  const minute = talk(60, 7)
  for (let at = 0; at < show.length; at += minute.length) show.set(minute, at)
  for (const [n, sound] of sounds.entries()) if (isThere(n)) show.set(sound, placeOf(n) * rate)
  const save = (id: string, sound: Float32Array) => {
    const path = join(folder, `${id}.wav`)
    writeFileSync(path, wav(sound))
    return sighting(id, { mediaUri: pathToFileURL(path).href })
  }
  await curate(system, {
    episodes: [save('show', show)],
    clips: clips.map((id, n) => save(id, sounds[n]!)),
  })
}

/** Each clip was found where it is, and nowhere else. */
export const expectFoundInLongShow = ({ researched }: Lives): void => {
  for (const [n, clip] of clips.entries()) {
    const matches = researched.get(pairName('show', clip))?.matches.map(({ offset }) => offset / 1e9)
    expect(matches, clip).toEqual(isThere(n) ? [expect.closeTo(placeOf(n), 1)] : [])
  }
}
