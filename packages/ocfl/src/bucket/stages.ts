import { createHash, randomUUID } from 'node:crypto'
import { InvalidVersion } from '../errors.ts'
import { contentFolder, contentNames, nameFolder } from '../inventory.ts'
import type { InBucket, SourceFile, StagedFile } from '../types.ts'
import { type Bucket, type BucketObject, bytesOf, keysBelow, readText } from './bucket.ts'
import type { Budget } from './budget.ts'
import { type Intake, openIntake, type Received } from './intake.ts'
import type { Journals } from './journals.ts'
import { readRootInventory } from './object-keys.ts'
import { removeBelow } from './remove-below.ts'

/*
 * Bytes that are in the bucket before a version names them, at keys that the version's own bytes would have: so they
 * are not copied. No reader sees them. Each stage has a record below `extensions`; what it took in stays until a
 * version has adopted it, or somebody removes it. Records outlive processes: another one may go on with a stage's files.
 */

/** The record of a stage, as JSON. */
interface StageRecord {
  /** From the root down to the object whose next version is expected to name the bytes. */
  readonly folders: readonly string[]
  readonly version: string
  /** Folder of the bytes in that of the version's content: no other stage or write has it. */
  readonly write: string
  /** Whole files; `place`: from the object's folder. */
  readonly files: readonly (Received & { readonly path: string; readonly place: string })[]
  /** The bytes are being removed, and no version may adopt them. */
  readonly isLeaving?: boolean
}

export interface StageOf {
  /** Names all stages of one piece of work: letters, digits, `-` and `_`. */
  readonly id: string
  readonly folders: readonly string[]
  readonly version: string
}

export interface Stage {
  /** Takes in a file of that path; `size`: bytes, if they are known. One file of a path at a time. */
  begin(path: string, size?: number): StagedIntake
  /** Records the files that are whole, so that other processes find them. */
  note(): Promise<void>
}

export interface StagedIntake extends Pick<Intake, 'size' | 'write' | 'abort'> {
  end(accept: (received: Received) => void): Promise<StagedFile>
}

export interface Stages {
  open(of: StageOf): Promise<Stage>
  /** Whole files of all stages of that id. */
  files(id: string): Promise<readonly StagedFile[]>
  /** Ids of all stages. */
  ids(): Promise<readonly string[]>
  /** Removes the stages of an id; false if a version is adopting their bytes. May be repeated. */
  remove(id: string): Promise<boolean>
  /** Prefixes of the bytes of all stages, from the root. */
  folders(): Promise<readonly string[]>
}

interface Tools {
  readonly bucket: Bucket
  /** The root; ends with a slash. */
  readonly prefix: string
  /** Name below `extensions`. */
  readonly folder: string
  readonly journals: Pick<Journals, 'all'>
  readonly budget: Budget
  readonly partBytes: number
}

export const createStages = ({ bucket, prefix, folder, journals, budget, partBytes }: Tools): Stages => {
  const all = `${prefix}extensions/${folder}/`
  const recordsOf = async (below: string) => {
    const found: { readonly key: string; readonly record: StageRecord }[] = []
    for (const { key } of await keysBelow(bucket, below)) {
      const record = await readRecord(bucket, key)
      if (record) found.push({ key, record })
    }
    return found
  }
  return {
    open: async ({ id, folders, version }) => {
      if (!/^[\w-]+$/.test(id)) throw new InvalidVersion(`${id} is no id of a stage`)
      const write = randomUUID().replaceAll('-', '').slice(0, 12)
      const key = `${all}${id}/${write}.json`
      const of = { folders, version, write }
      await bucket.put(key, recordText({ ...of, files: [] }))
      return openStage(key, of, { bucket, prefix, budget, partBytes })
    },
    files: async (id) =>
      (await recordsOf(`${all}${id}/`))
        .filter(({ record }) => record.isLeaving !== true)
        .flatMap(({ key, record }) =>
          record.files.map(({ path, size, sha256, place }) => ({
            ...{ path, size, sha256 },
            from: { key: objectFolder(prefix, record) + place, record: key },
          })),
        ),
    ids: async () => {
      const names = (await keysBelow(bucket, all)).map(({ key }) => key.slice(all.length).split('/', 1)[0]!)
      return [...new Set(names)]
    },
    remove: async (id) => {
      let isRemoved = true
      for (const { key, record } of await recordsOf(`${all}${id}/`)) {
        // A version that adopts them has put its journal before it looks at the record: one of both sees the other.
        await bucket.put(key, recordText({ ...record, isLeaving: true }))
        const isAdopted = (await journals.all()).some(
          ({ journal }) => journal.kind === 'add' && journal.adopts?.includes(key),
        )
        if (isAdopted) await bucket.put(key, recordText({ ...record, isLeaving: false }))
        else await dropStage(bucket, key)
        isRemoved &&= !isAdopted
      }
      return isRemoved
    },
    folders: async () =>
      (await recordsOf(all)).map(({ record }) => [...record.folders, bytesFolder(record)].join('/')),
  }
}

const openStage = (
  key: string,
  of: Omit<StageRecord, 'files'>,
  { bucket, prefix, budget, partBytes }: Pick<Tools, 'bucket' | 'prefix' | 'budget' | 'partBytes'>,
): Stage => {
  const below = objectFolder(prefix, of)
  const nameFor = contentNames(maxKeyBytes - Buffer.byteLength(below + bytesFolder(of)))
  const files: StageRecord['files'][number][] = []
  let noting: Promise<unknown> = Promise.resolve()
  const note = (): Promise<void> => {
    const noted = noting.then(async () => void (await bucket.put(key, recordText({ ...of, files }))))
    noting = noted.catch(() => {})
    return noted
  }
  return {
    begin: (path, size) => {
      const place = bytesFolder(of) + nameFor(path, `${nameFolder}/${hashOf(path)}`)
      const intake = openIntake(below + place, size, { bucket, budget, partBytes })
      return {
        get size() {
          return intake.size
        },
        write: intake.write,
        abort: intake.abort,
        end: async (accept) => {
          const received = await intake.end(accept)
          files.push({ path, ...received, place })
          // To bring a large file again would take long.
          if (received.size > partBytes) await note()
          return { path, ...received, from: { key: below + place, record: key } }
        },
      }
    },
    note,
  }
}

/** Removes the bytes of a stage that no version names, and its record. May be repeated. */
export const dropStage = async (bucket: Bucket, key: string): Promise<void> => {
  const record = await readRecord(bucket, key)
  if (!record) return
  // `<root>extensions/<folder>/<id>/<write>.json`
  const folder = objectFolder(`${key.split('/').slice(0, -4).join('/')}/`, record)
  const root = await readRootInventory(bucket, folder)
  const listed = new Set(Object.values(root?.inventory.manifest ?? {}).flat())
  await removeBelow(bucket, folder + bytesFolder(record), (one) => listed.has(one.slice(folder.length)))
  await bucket.delete(key)
}

export const isStaged = (from: SourceFile['from']): from is InBucket =>
  typeof from !== 'string' && 'key' in from

/** Keys of the records of the stages whose bytes a version adopts. */
export const recordsOfStaged = (files: readonly SourceFile[]): readonly string[] => [
  ...new Set(files.flatMap(({ from }) => (isStaged(from) ? [from.record] : []))),
]

/** Throws `InvalidVersion` unless all staged files are in the bucket, and stay there for who has put a journal. */
export const failUnlessStaged = async (bucket: Bucket, files: readonly SourceFile[]): Promise<void> => {
  const held = new Map<string, BucketObject>()
  for (const key of recordsOfStaged(files)) {
    const record = await readRecord(bucket, key)
    if (!record || record.isLeaving === true) continue
    const folder = objectFolder(`${key.split('/').slice(0, -4).join('/')}/`, record)
    for (const one of await keysBelow(bucket, folder + bytesFolder(record))) held.set(one.key, one)
  }
  for (const { path, size, from } of files)
    if (isStaged(from) && held.get(from.key)?.size !== size)
      throw new InvalidVersion(`the staged file of ${path} is not there any more`)
}

const readRecord = async (bucket: Bucket, key: string): Promise<StageRecord | undefined> => {
  const found = await readText(bucket, key)
  return found && (JSON.parse(found.text) as StageRecord)
}

const recordText = (record: StageRecord): Uint8Array => bytesOf(JSON.stringify(record))

const maxKeyBytes = 1024

const objectFolder = (prefix: string, { folders }: Pick<StageRecord, 'folders'>): string =>
  `${prefix}${folders.join('/')}/`

/** From the object's folder. */
const bytesFolder = ({ version, write }: Pick<StageRecord, 'version' | 'write'>): string =>
  `${version}/${contentFolder}/${write}/`

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
