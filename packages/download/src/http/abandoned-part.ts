import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { descriptionPath, type PartPlace, type Representation, readDescription } from './part-files.ts'

interface AbandonedPart {
  readonly representation: Representation
  /** Path of its bytes. */
  readonly path: string
  /** It was closed by its process, so nobody writes to it any more. */
  readonly isClosed: boolean
  /** Returns it as it was, for the next process. */
  putBack(): Promise<void>
}

/**
 * Takes over a part of the same address that another process left, if there is one: its description is
 * renamed to `name`, its bytes stay in place.
 */
export const takeOver = async (place: PartPlace, name: string): Promise<AbandonedPart | undefined> => {
  for (const file of await readdir(place.folder)) {
    if (!file.startsWith(`${place.key}.`) || !file.endsWith('.part.json')) continue
    const path = join(place.folder, file.slice(0, -'.json'.length))
    const touchedAt = await touched(path)
    if (touchedAt === undefined || Date.now() - touchedAt <= place.staleMillis) continue
    try {
      await rename(`${path}.json`, descriptionPath(name))
    } catch {
      // Another process was faster.
      continue
    }
    const description = await readDescription(descriptionPath(name))
    const putBack = () => rename(descriptionPath(name), `${path}.json`)
    if (description?.uri === place.uri)
      return { representation: description, path, isClosed: touchedAt === 0, putBack }
    // It is of another address, or was cut off by a crash.
    await rm(descriptionPath(name), { force: true })
    await rm(path, { force: true })
  }
  return undefined
}

const touched = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.mtimeMs
