import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bagOf, digest } from './bag.ts'

/* A small archive on disk: a bag, a tree with a checksum file, and a tree of which nobody ever took a checksum. */

/** Random bytes, the same on every run. */
const scan = (seed: string, size: number): Buffer => {
  const blocks: Buffer[] = []
  for (let i = 0; i * 64 < size; i++) blocks.push(createHash('sha512').update(`${seed}/${i}`).digest())
  return Buffer.concat(blocks).subarray(0, size)
}

const makeLetters = () =>
  Array.from({ length: 24 }, (_, i) => {
    const page = String(i + 1).padStart(2, '0')
    return { path: `data/1912/${page}.tif`, bytes: scan(`letter ${page}`, 40_000 + i * 9_000) }
  })

const makePhotographs = () =>
  Array.from({ length: 16 }, (_, i) => {
    const name = `plate-${String(i + 1).padStart(3, '0')}.dng`
    return { name, bytes: scan(`photograph ${name}`, 150_000 + i * 20_000) }
  })

const makeMinutes = () =>
  Array.from({ length: 12 }, (_, i) => {
    const name = `council/19${24 + i}/minutes.txt`
    return {
      name,
      bytes: Buffer.from(
        `Minutes of the council, 19${24 + i}.\n${'The chair opened the meeting. '.repeat(60 + i)}\n`,
      ),
    }
  })

/** Makes the archive in an empty folder. Returns the paths it holds. */
export const buildArchive = async (root: string): Promise<readonly string[]> => {
  await rm(root, { recursive: true, force: true })
  const [letters, photographs, minutes] = [makeLetters(), makePhotographs(), makeMinutes()]
  const bag = 'letters-of-ada-brandt'
  const letterBag = bagOf(letters, 'Letters of Ada Brandt, 1912')
  const files: [string, Buffer | string][] = [
    ...letterBag.map(([path, bytes]): [string, Buffer | string] => [`${bag}/${path}`, bytes]),
    ...photographs.map(({ name, bytes }): [string, Buffer] => [`photographs/${name}`, bytes]),
    [
      'photographs/md5sums.txt',
      photographs.map(({ name, bytes }) => `${digest('md5', bytes)}  ${name}\n`).join(''),
    ],
    ...minutes.map(({ name, bytes }): [string, Buffer] => [`minutes/${name}`, bytes]),
  ]
  await writeFiles(root, files)
  return files.map(([path]) => path)
}

/** Makes the folders, too. */
export const writeFiles = async (
  root: string,
  files: readonly (readonly [path: string, content: Buffer | string])[],
): Promise<void> => {
  for (const [path, bytes] of files) {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
}

/** The faults that the demo plants, and what is to be found of each. */
export const faults = {
  flipped: 'letters-of-ada-brandt/data/1912/07.tif',
  deleted: 'photographs/plate-004.dng',
  wrongIndex: 'photographs/plate-009.dng',
  wrongAudit: 'minutes/council/1931/minutes.txt',
  withdrawn: 'minutes/council/1928/minutes.txt',
} as const
