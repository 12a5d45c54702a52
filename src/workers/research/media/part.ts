import { createHash, randomUUID } from 'node:crypto'
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

/** The server's validators, for conditional requests. */
export const Validators = t.partial({ etag: t.string, lastModified: t.string }, 'validators')
export type Validators = t.TypeOf<typeof Validators>

const Said = t.intersection([t.type({ uri: t.string }), t.partial({ total: t.number }), Validators], 'part')
type Said = t.TypeOf<typeof Said>

/**
 * A partial download: `<key>.<own id>.part`, with what the server said beside it. It belongs to one process, which touches
 * it while it lives. Another takes it over by renaming its description, which only one can do.
 */
export interface Part {
  readonly path: string
  readonly handle: FileHandle
  readonly size: number
  /** Bytes of the whole, and validators, of the answer that began it. */
  readonly said: Omit<Said, 'uri'>
  /** Empties it for an answer from the first byte. */
  begin(said: Omit<Said, 'uri'>): Promise<void>
  write(chunk: Uint8Array): Promise<void>
  /** SHA-256 of what is there, in lower-case hex. Nothing can be written afterwards. */
  hash(): string
  /** Leaves it for the next process to resume. */
  leave(): Promise<void>
  discard(): Promise<void>
}

export interface PartPlace {
  readonly folder: string
  readonly key: string
  readonly uri: string
  /** What was not touched for so long was left by a process that is no more. */
  readonly staleMillis: number
}

/** Resumes what another process left, or begins. */
export const openPart = async (place: PartPlace): Promise<Part> => {
  const { folder, key, uri, staleMillis } = place
  const name = join(folder, `${key}.${randomUUID()}`)
  const left = await takeOver(place, name)
  const path = `${name}.part`
  const file = await open(path, 'a+')
  // Its owner may wait long for the server: it still lives.
  const beat = setInterval(
    () => void utimes(path, new Date(), new Date()).catch(() => {}),
    Math.min(staleMillis / 4, maxBeatMillis),
  ).unref()
  let said: Said = left?.said ?? { uri }
  let size = 0
  let digest = createHash('sha256')

  const empty = async (by: Omit<Said, 'uri'>) => {
    await file.truncate(0)
    size = 0
    digest = createHash('sha256')
    said = { uri, ...by }
  }
  const write = async (chunk: Uint8Array) => {
    await file.writeFile(chunk)
    digest.update(chunk)
    size += chunk.length
  }
  const close = async () => {
    clearInterval(beat)
    await file.close()
  }

  try {
    // A copy: a process that only slept would write on to the file itself.
    if (left) for await (const chunk of createReadStream(left.path)) await write(chunk)
  } catch {
    await empty({})
  }
  if (left) await rm(left.path, { force: true })

  return {
    path,
    handle: file,
    get size() {
      return size
    },
    get said() {
      return said
    },
    begin: async (by) => {
      await empty(by)
      await writeFile(`${name}.part.json`, JSON.stringify(said))
    },
    write,
    hash: () => digest.digest('hex'),
    leave: async () => {
      await close()
      if (size === 0) await removePart(name)
      else await utimes(path, 0, 0)
    },
    discard: async () => {
      await close()
      await removePart(name)
    },
  }
}

const maxBeatMillis = 30_000

/** Renames the description of a part that was left; its bytes stay where they are. */
const takeOver = async (
  place: PartPlace,
  name: string,
): Promise<{ readonly said: Said; readonly path: string } | undefined> => {
  for (const description of await readdir(place.folder)) {
    if (!description.startsWith(`${place.key}.`) || !description.endsWith('.part.json')) continue
    const path = join(place.folder, description.slice(0, -'.json'.length))
    if (!(await isLeft(path, place.staleMillis))) continue
    try {
      await rename(`${path}.json`, `${name}.part.json`)
    } catch {
      // Another was quicker.
      continue
    }
    const said = await readSaid(`${name}.part.json`)
    if (said?.uri === place.uri) return { said, path }
    // Not whole: it is begun anew.
    await rm(`${name}.part.json`, { force: true })
    await rm(path, { force: true })
  }
  return undefined
}

const readSaid = async (path: string): Promise<Said | undefined> => {
  try {
    const said = Said.decode(JSON.parse(await readFile(path, 'utf8')))
    return said._tag === 'Right' ? said.right : undefined
  } catch {
    return undefined
  }
}

const isLeft = async (path: string, staleMillis: number): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > staleMillis
}

export const removePart = async (name: string): Promise<void> => {
  await rm(`${name}.part`, { force: true })
  await rm(`${name}.part.json`, { force: true })
}

/** Of a file that lies elsewhere. `onBytes` is called for each chunk. */
export const hashFile = async (
  file: FileHandle,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<string> => {
  // A stream that is born aborted emits an error that nobody can catch.
  signal.throwIfAborted()
  const digest = createHash('sha256')
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0, signal })) {
    digest.update(chunk)
    onBytes()
  }
  return digest.digest('hex')
}
