import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  type FileHandle,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import * as t from 'io-ts'

/** What a server said of the bytes, by which it can be asked whether they are still the same. */
export const Validators = t.partial({ etag: t.string, lastModified: t.string }, 'validators')
export type Validators = t.TypeOf<typeof Validators>

const Said = t.intersection([t.type({ uri: t.string }), t.partial({ total: t.number }), Validators], 'part')
type Said = t.TypeOf<typeof Said>

/**
 * A download that is not whole yet: `<key>.<own id>.part`, and beside it what the server said. It belongs to one process: to
 * take over what another left is to give its description a new name, which one alone can do.
 */
export interface Part {
  readonly path: string
  readonly size: number
  /** Bytes of the whole, and validators, of the answer that began it. */
  readonly said: Omit<Said, 'uri'>
  /** Empties it for an answer from the first byte. */
  begin(said: Omit<Said, 'uri'>): Promise<void>
  write(chunk: Uint8Array): Promise<void>
  /** SHA-256 of what is there, in lower-case hex. Nothing can be written afterwards. */
  hash(): string
  /** For whoever comes next to go on with. */
  leave(): Promise<void>
  discard(): Promise<void>
}

export interface PartPlace {
  readonly folder: string
  readonly key: string
  readonly uri: string
  /** Whose last byte is older was left by a process that is no more. */
  readonly staleMillis: number
}

/** Goes on with what lies there, or begins. */
export const openPart = async (place: PartPlace): Promise<Part> => {
  const { folder, key, uri } = place
  const name = join(folder, `${key}.${randomUUID()}`)
  const adopted = await adopt(place, name)
  const path = `${name}.part`
  const file = await open(path, 'a')
  let said: Said = adopted ?? { uri }
  let size = 0
  let digest = createHash('sha256')
  if (adopted) ({ size, digest } = await digestOf(path))

  return {
    path,
    get size() {
      return size
    },
    get said() {
      return said
    },
    begin: async (by) => {
      await file.truncate(0)
      size = 0
      digest = createHash('sha256')
      said = { uri, ...by }
      await writeFile(`${name}.part.json`, JSON.stringify(said))
    },
    write: async (chunk) => {
      await file.writeFile(chunk)
      digest.update(chunk)
      size += chunk.length
    },
    hash: () => digest.digest('hex'),
    leave: async () => {
      await file.close()
      if (size === 0) await removePart(name)
      else await utimes(path, 0, 0)
    },
    discard: async () => {
      await file.close()
      await removePart(name)
    },
  }
}

const adopt = async (place: PartPlace, name: string): Promise<Said | undefined> => {
  for (const description of await readdir(place.folder)) {
    if (!description.startsWith(`${place.key}.`) || !description.endsWith('.part.json')) continue
    const old = join(place.folder, description.slice(0, -'.part.json'.length))
    if (!(await isLeft(`${old}.part`, place.staleMillis))) continue
    try {
      await rename(`${old}.part.json`, `${name}.part.json`)
      await rename(`${old}.part`, `${name}.part`)
      const said = Said.decode(JSON.parse(await readFile(`${name}.part.json`, 'utf8')))
      if (said._tag === 'Right' && said.right.uri === place.uri) return said.right
    } catch {
      // Another was quicker, or it is not whole: it is begun anew.
    }
    await removePart(name)
  }
  return undefined
}

const isLeft = async (path: string, staleMillis: number): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > staleMillis
}

export const removePart = async (name: string): Promise<void> => {
  await rm(`${name}.part`, { force: true })
  await rm(`${name}.part.json`, { force: true })
}

const digestOf = async (path: string): Promise<{ size: number; digest: Hash }> => {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path)) {
    digest.update(chunk)
    size += chunk.length
  }
  return { size, digest }
}

/** Of a file that lies elsewhere. `onBytes` is called for each chunk. */
export const hashFile = async (
  file: FileHandle,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<string> => {
  const digest = createHash('sha256')
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0, signal })) {
    digest.update(chunk)
    onBytes()
  }
  return digest.digest('hex')
}
