import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as t from 'io-ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import { filesBelow, readSums, sha256Of, sizeOf, sumsName } from './checksums.ts'

export const aboutName = 'backup.json'

/** A backup's description; optional fields may be added, `format` then stays. */
export const AboutBackup = t.intersection(
  [
    t.type({
      format: t.literal(1),
      /** Version of the program. */
      fonds: t.string,
      /** Start time: the backup has all that was acknowledged before. */
      at: t.string,
      /** Files beside this one and `SHA256SUMS`. */
      files: t.number,
      bytes: t.number,
      /** Names of the copied parts, with their original paths. */
      from: t.record(t.string, t.string),
      /** Parts that must be backed up by other means, a sentence each. */
      elsewhere: t.array(t.string),
      /** Given settings, without secrets. */
      settings: t.record(t.string, t.unknown),
    }),
    t.partial({ log: t.string, position: t.string }),
  ],
  'about a backup',
)
export type AboutBackup = t.TypeOf<typeof AboutBackup>

export interface Verified {
  /** Absent if it cannot be read. */
  readonly about?: AboutBackup
  /** Faults, a sentence each; none if the backup is intact. */
  readonly faults: readonly string[]
}

/** Reads all of a backup, and compares it with its checksums. */
export const verifyBackup = async (
  folder: string,
  {
    signal,
    onTotal,
    onBytes,
  }: { readonly signal: AbortSignal; onTotal(bytes: number): void; onBytes(bytes: number): void },
): Promise<Verified> => {
  const about = await aboutIn(folder)
  if (!about)
    return {
      faults: [`${folder} has no readable ${aboutName}: it is no backup, or an incomplete one`],
    }
  const sums = await readSums(folder)
  if (!sums) return { about, faults: [`${sumsName} is missing or damaged: nothing can be compared`] }
  const faults: string[] = []
  // A list that was cut at a line's end would not name the rest.
  if (sums.size !== about.files + 1)
    faults.push(`${sumsName} lists ${sums.size} files, ${about.files + 1} were written`)
  onTotal(await sizeOf(folder, sums.keys()))
  for (const [path, sum] of sums) {
    signal.throwIfAborted()
    if (!existsSync(join(folder, path))) faults.push(`${path} is missing`)
    else if ((await sha256Of(join(folder, path), signal, onBytes)) !== sum) faults.push(`${path} was changed`)
  }
  const known = new Set([...sums.keys(), sumsName])
  for (const path of await filesBelow(folder))
    if (!known.has(path)) faults.push(`${path} was added later: no backup wrote it`)
  return { about, faults }
}

/** Undefined if it cannot be read: the folder is no backup. */
export const aboutIn = async (folder: string): Promise<AboutBackup | undefined> => {
  const text = await readFile(join(folder, aboutName), 'utf8').catch(() => undefined)
  const json = text === undefined ? undefined : parseJson(text)
  if (json?._tag !== 'Right') return undefined
  const decoded = AboutBackup.decode(json.right)
  return decoded._tag === 'Right' ? decoded.right : undefined
}
