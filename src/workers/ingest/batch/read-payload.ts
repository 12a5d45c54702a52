import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  announcedDigest,
  fileNameIn,
  InvalidCheckm,
  type MerrittKind,
  type MerrittRow,
  readMerrittManifest,
} from '@fonds/bag'
import { whyLoginRefused } from '@fonds/download'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { TaskContext } from '../../../async/task-context.ts'
import { normaliseArk } from '../../../domain/ingest/ark.ts'
import {
  type Description,
  ListedObject,
  ObjectType,
  type SubmissionType,
} from '../../../domain/ingest/payload.ts'
import type { SubmittedPayload } from '../../../domain/ingest/submission.ts'
import { explain } from '../../../domain/kernel/codecs.ts'
import { isPrefix } from '../../buckets/bucket-file.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { isLocal, localPath } from '../fetch/local-file.ts'
import { folderRows } from '../payload/folder-rows.ts'
import { foldersIn } from '../payload/folders-in.ts'
import { beginningBytes, typeOfFile } from '../payload/type-of-file.ts'
import { typeOfFolder, typeOfListed } from '../payload/type-of-folder.ts'
import type { AnnouncedDigests } from '../submit/announced-digests.ts'

/** No part of the payload can be used: the batch fails (ingest X2). */
class UnusablePayload extends Error {
  override readonly name = 'UnusablePayload'
}

interface Payload {
  readonly type: SubmissionType
  /** One job is created for each. Throws `UnusablePayload`. */
  readonly objects: AsyncIterable<ListedObject> | Iterable<ListedObject>
}

export interface PayloadTools {
  readonly fetcher: Fetcher
  /** Folders that `file:` URLs may lead to; undefined: any. */
  readonly folders: readonly string[] | undefined
  readonly announced: AnnouncedDigests
  /** Folder of this claim alone: a batch manifest is downloaded to it. */
  readonly folder: string
}

/**
 * Reads a depositor's submission, by its type (reference ingest §2.2). Throws `UnusablePayload` and `DownloadFailure`.
 */
export const readPayload = async (
  payload: SubmittedPayload,
  tools: PayloadTools,
  context: TaskContext,
): Promise<Payload> => {
  const type = payload.type ?? (await typeOf(payload, tools, context))
  if (ObjectType.is(type)) return { type, objects: [oneObject(payload, type)] }
  if (type === 'each-file') return { type, objects: filesIn(payload, tools, context) }
  if (type === 'each-folder') return { type, objects: objectsOfFolders(payload, tools, context) }
  return { type, objects: listedIn(payload, rowKinds[type], tools, context) }
}

const oneObject = ({ type: _, ...payload }: SubmittedPayload, type: ObjectType): ListedObject => ({
  payload: { ...payload, type },
  localIds: [],
})

/** Makes each file an object of its own, named by its path below the folder. */
async function* filesIn(
  { url }: SubmittedPayload,
  tools: PayloadTools,
  context: TaskContext,
): AsyncGenerator<ListedObject> {
  for await (const { path, url: file, size, digest } of folderRows(url, tools, context))
    yield { payload: { url: file, type: 'file', name: path, size, ...(digest && { digest }) }, localIds: [] }
}

/** Makes each folder directly below an object of its own, called as the folder is. */
async function* objectsOfFolders(
  { url }: SubmittedPayload,
  tools: PayloadTools,
  context: TaskContext,
): AsyncGenerator<ListedObject> {
  for await (const { name, url: folder, type } of foldersIn(url, tools, context))
    yield { payload: { url: folder, type }, localIds: [], description: { what: name } }
}

/** Detects the type of a folder by its files, that of a file by its name, or else by the profile in its first lines. */
const typeOf = async (
  { url, name = fileNameIn(url) ?? '' }: SubmittedPayload,
  { fetcher, folders, announced }: PayloadTools,
  context: TaskContext,
): Promise<SubmissionType> => {
  if (isLocal(url)) {
    const path = await localPath(url, folders)
    if ((await stat(path)).isDirectory()) return typeOfFolder(path)
  }
  if (isPrefix(url)) return typeOfListed(folderRows(url, { fetcher, folders, announced }, context))
  return typeOfFile(name, () => fetcher.beginning(url, beginningBytes, context))
}

interface RowKind {
  readonly manifest: MerrittKind
  /** Object type of each row. */
  readonly type: ObjectType
}

type BatchManifest = 'batch-manifest' | 'container-batch-manifest' | 'single-file-batch-manifest'

const rowKinds: Readonly<Record<BatchManifest, RowKind>> = {
  'batch-manifest': { manifest: 'batch', type: 'manifest' },
  'container-batch-manifest': { manifest: 'container-batch', type: 'container' },
  'single-file-batch-manifest': { manifest: 'single-file-batch', type: 'file' },
}

const maxManifestBytes = 5 * 1024 ** 2

async function* listedIn(
  { url, size, digest }: SubmittedPayload,
  { manifest: kind, type }: RowKind,
  { fetcher, folder }: PayloadTools,
  context: TaskContext,
): AsyncGenerator<ListedObject> {
  const announced =
    digest && announcedDigest(digest.algorithm, digest.value, (reason) => new UnusablePayload(reason))
  if ((size ?? (await fetcher.sizeOf(url, context)) ?? 0) > maxManifestBytes) throw tooLarge(url)
  const to = join(folder, 'batch-manifest.txt')
  const fetched = await fetcher.fetch(
    { url, size, digest: announced, maxBytes: maxManifestBytes },
    { to, parts: folder, key: 'batch-manifest' },
    context,
  )
  if (fetched.size > maxManifestBytes) throw tooLarge(url)
  try {
    const { rows } = await readMerrittManifest(createReadStream(to), [kind], whyLoginRefused)
    for await (const row of rows) yield listed(row, type)
  } catch (error) {
    if (error instanceof InvalidCheckm)
      throw new UnusablePayload(`the manifest ${url} cannot be used: ${error.message}`)
    throw error
  }
}

const tooLarge = (url: string): UnusablePayload =>
  new UnusablePayload(
    `the manifest ${url} is larger than ${maxManifestBytes} bytes; part it, and submit its parts`,
  )

/** Makes an object of a row; its own ids and description take precedence over the submission's. */
const listed = (row: MerrittRow, type: ObjectType): ListedObject => {
  const { line, url, name, size, digest, localIds, primary, creator, title, date } = row
  const ark = primary === undefined ? undefined : normaliseArk(primary)
  if (primary !== undefined && ark === undefined)
    throw new InvalidCheckm(`line ${line}: primaryIdentifier ${primary} is no ARK (ark:/NAAN/name)`)
  const description: Description = {
    ...(creator !== undefined && { who: creator }),
    ...(title !== undefined && { what: title }),
    ...(date !== undefined && { when: date }),
  }
  const decoded = ListedObject.decode({
    payload: {
      url,
      type,
      ...(name !== undefined && { name }),
      ...(size !== undefined && { size }),
      ...(digest && { digest }),
    },
    localIds,
    ...(ark !== undefined && { primary: ark }),
    ...(Object.keys(description).length > 0 && { description }),
  })
  if (isLeft(decoded)) throw new InvalidCheckm(`line ${line}: ${explain(decoded.left)}`)
  return decoded.right
}
