import { readFile, rm, writeFile } from 'node:fs/promises'
import * as t from 'io-ts'
import { Validators } from './validators.ts'

/* The files of a partial download: `<name>.part` has its bytes, `<name>.part.json` its description. */

export interface PartPlace {
  readonly folder: string
  readonly key: string
  readonly uri: string
  /** A part that was not touched for so long is abandoned: its process has ended. */
  readonly staleMillis: number
}

const Description = t.intersection(
  [t.type({ uri: t.string }), t.partial({ total: t.number }), Validators],
  'part',
)
type Description = t.TypeOf<typeof Description>

/** What the server said of the whole: its bytes, and its validators. */
export type Said = Omit<Description, 'uri'>

export const bytesPath = (name: string): string => `${name}.part`
export const descriptionPath = (name: string): string => `${name}.part.json`

/** Undefined where it is not whole. */
export const readDescription = async (path: string): Promise<Description | undefined> => {
  try {
    const read = Description.decode(JSON.parse(await readFile(path, 'utf8')))
    return read._tag === 'Right' ? read.right : undefined
  } catch {
    return undefined
  }
}

export const writeDescription = (name: string, description: Description): Promise<void> =>
  writeFile(descriptionPath(name), JSON.stringify(description))

export const removePart = async (name: string): Promise<void> => {
  await rm(bytesPath(name), { force: true })
  await rm(descriptionPath(name), { force: true })
}
