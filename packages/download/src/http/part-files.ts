import { readFile, rm, writeFile } from 'node:fs/promises'
import type { Validators } from '../validators.ts'

/* The files of a partial download: `<name>.part` has its bytes, `<name>.part.json` its description. */

export interface PartPlace {
  readonly folder: string
  readonly key: string
  readonly uri: string
  /** Time without a touch after which a part is abandoned: its process has ended. */
  readonly staleMillis: number
}

/** Length and validators of the whole, from the server. */
export interface Representation extends Validators {
  /** Bytes. */
  readonly total?: number
  /** The coding that the server names for its bytes. */
  readonly coding?: string
  /** The coding is the file's own, by its name or type. */
  readonly isOwnCoding?: boolean
}

interface Description extends Representation {
  readonly uri: string
}

export const bytesPath = (name: string): string => `${name}.part`
export const descriptionPath = (name: string): string => `${name}.part.json`

/** Returns undefined if it is incomplete. */
export const readDescription = async (path: string): Promise<Description | undefined> => {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isDescription(read) ? read : undefined
  } catch {
    return undefined
  }
}

const isDescription = (value: unknown): value is Description => {
  if (typeof value !== 'object' || value === null) return false
  const { uri, total, etag, lastModified } = value as Readonly<Record<string, unknown>>
  return (
    typeof uri === 'string' &&
    ['number', 'undefined'].includes(typeof total) &&
    [etag, lastModified].every((one) => ['string', 'undefined'].includes(typeof one))
  )
}

export const writeDescription = (name: string, description: Description): Promise<void> =>
  writeFile(descriptionPath(name), JSON.stringify(description))

export const removePart = async (name: string): Promise<void> => {
  await rm(bytesPath(name), { force: true })
  await rm(descriptionPath(name), { force: true })
}
