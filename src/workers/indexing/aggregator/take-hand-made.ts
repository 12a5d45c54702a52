import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isSystemError } from '@fonds/toolbox'
import type { Logger } from 'pino'
import type { CaptureIndex, HandChange } from '../../../ports/capture-index.ts'
import { BadPost, receiveLines } from '../posting/receive-lines.ts'
import type { HandMadeFile, HandMadeFiles } from './hand-made-files.ts'

/** Files per change of the index. */
const maxFiles = 1000

const bounds = { maxBytes: Number.POSITIVE_INFINITY, maxLineBytes: 64 * 1024 }

/**
 * Applies files made by hand to the index (W23, W25): the lines of one file, all or none, replace those of an earlier
 * file of its name; names in a list lose their lines. An invalid file affects no other (W35). The folder is listed
 * once, however many there are.
 *
 * `goesOn` is called after each change of the index; if it returns false, the rest waits for the next call.
 */
export const takeHandMade = async (
  files: HandMadeFiles,
  now: string,
  index: () => CaptureIndex,
  log: Pick<Logger, 'error' | 'warn'>,
  goesOn: () => Promise<boolean> = async () => true,
  atOnce = maxFiles,
): Promise<void> => {
  const found = await files.list(now)
  for (let at = 0; at < found.length; at += atOnce) {
    await takeSome(files, found.slice(at, at + atOnce), index, log)
    if (!(await goesOn())) return
  }
}

const takeSome = async (
  files: HandMadeFiles,
  found: readonly HandMadeFile[],
  index: () => CaptureIndex,
  log: Pick<Logger, 'error' | 'warn'>,
): Promise<void> => {
  const taken: HandMadeFile[] = []
  const changes: HandChange[] = []
  for (const one of found)
    try {
      if (!(await files.isAsListed(one))) continue
      changes.push(...(one.kind === 'lines' ? [await published(one, index())] : await withdrawn(one)))
      taken.push(one)
    } catch (error) {
      if (error instanceof BadPost)
        log.error(
          { kept: await files.putAside(one), reason: error.message },
          'a file of lines is invalid; putting it aside, continuing with the rest',
        )
      else if (isSystemError(error, 'EACCES', 'ENOENT', 'EIO'))
        log.warn({ path: one.path, reason: error.message }, 'cannot read a file of lines; retrying')
      else throw error
    }
  if (changes.length > 0)
    for (const { change, reason } of await index().changeByHand(changes)) {
      const file = 'file' in change ? change.file : ''
      const source = taken.findLast((one) => one.kind === 'lines' && one.file === file)
      const kept = source && (await files.putAside(source))
      log.error(
        { file, kept, reason },
        'the index refused the lines of a file; rename it to have it taken again',
      )
    }
  for (const one of taken) await files.remove(one)
}

const published = async ({ path, file }: HandMadeFile, index: CaptureIndex): Promise<HandChange> => {
  const { batches } = receiveLines(createReadStream(path), { skipsBad: false }, bounds)
  return { kind: 'publish', file, run: await index.write(batches) }
}

/** Reads names of files made by hand, with or without their extension. */
const withdrawn = async ({ path }: HandMadeFile): Promise<readonly HandChange[]> => {
  const names = (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) => line.trim().replace(/\.cdxj?$/, ''))
    .filter((name) => name !== '')
  const foreign = names.find((name) => name.includes('/'))
  if (foreign !== undefined)
    throw new BadPost(
      'bad-line',
      `${foreign} is a file of the log: \`fonds do indexing.withdraw\` takes it from the index`,
    )
  return names.map((file) => ({ kind: 'withdraw', file }))
}
