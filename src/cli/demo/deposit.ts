import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeFiles } from './archive.ts'
import { bagOf, digest } from './bag.ts'

/* A deposit: a bag, and a manifest of letters of which one is missing. */

const pages = Array.from({ length: 5 }, (_, i) => ({
  path: `data/page-${i + 1}.txt`,
  bytes: `Diary of Ada Brandt, page ${i + 1}.\n${'It rained. '.repeat(40 + i)}\n`,
}))

const letters = ['To her brother', 'To the council', 'To nobody'].map((title, i) => ({
  name: `letter-${i + 1}.txt`,
  title,
  text: `${title}.\n${'I write to you again. '.repeat(20 + i)}\n`,
}))

const forgotten = letters[2]!

/** One row per letter, each an object of its own. */
const manifestOf = (root: string): string =>
  [
    '#%checkm_0.7',
    '#%profile | http://uc3.cdlib.org/registry/ingest/manifest/mrt-single-file-batch-manifest',
    '#%fields | nfo:fileUrl | nfo:hashAlgorithm | nfo:hashValue | nfo:fileSize | nfo:fileName | mrt:localIdentifier | mrt:creator | mrt:title | mrt:date',
    ...letters.map(({ name, title, text }) =>
      [
        pathToFileURL(join(root, 'letters', name)).href,
        'sha-256',
        digest('sha256', text),
        Buffer.byteLength(text),
        name,
        name.replace('.txt', ''),
        'Ada Brandt',
        title,
        '1913',
      ].join(' | '),
    ),
    '#%eof\n',
  ].join('\n')

/** Writes the deposit to an empty folder. */
export const makeDeposit = async (
  root: string,
): Promise<{ readonly bag: string; readonly manifest: string }> => {
  await rm(root, { recursive: true, force: true })
  await writeFiles(root, [
    ...bagOf(pages, 'Diary of Ada Brandt').map(([path, bytes]) => [join('diary', path), bytes] as const),
    ...letters
      .filter((letter) => letter !== forgotten)
      .map(({ name, text }) => [join('letters', name), text] as const),
    ['letters.checkm', manifestOf(root)],
  ])
  return { bag: join(root, 'diary'), manifest: join(root, 'letters.checkm') }
}

/** Adds the missing letter. */
export const bringForgotten = (root: string): Promise<void> =>
  writeFiles(root, [[join('letters', forgotten.name), forgotten.text]])
