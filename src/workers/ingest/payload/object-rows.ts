import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Hold } from '../../../async/hold.ts'
import type { PayloadDigest } from '../../../domain/ingest/payload.ts'
import type { Wanted } from '../fetch/fetcher.ts'
import { whyNotName } from '../files/file-name.ts'
import { type JobInHand, StepFailure, type StepTools } from '../steps/step.ts'
import { digestOf, InvalidManifest, nameIn, readManifest } from './checkm.ts'

/** A file of the object that is still to be fetched. */
export interface ObjectRow extends Wanted {
  /** In the object. */
  readonly path: string
}

type Tools = Pick<StepTools, 'fetcher'>

/** What the object is made of: one file, or the rows of its manifest, which is fetched where it is not there yet. */
export const objectRows = async (job: JobInHand, tools: Tools, hold: Hold): Promise<readonly ObjectRow[]> => {
  const { url, type, name, size, digest } = job.facts.payload
  if (type === 'manifest') return manifestRows(job, tools, hold)
  const path = name ?? nameIn(url) ?? 'file'
  const why = whyNotName(path)
  if (why) throw new StepFailure(`the name ${JSON.stringify(path)} ${why}`, { permanent: true })
  return [{ url, path, size, digest: announced(digest) }]
}

/** As the depositor wrote it (ingest X4). */
const announced = (digest: PayloadDigest | undefined): Wanted['digest'] =>
  digest && digestOf(digest.algorithm, digest.value, (reason) => new StepFailure(reason, { permanent: true }))

const manifestRows = async (
  job: JobInHand,
  { fetcher }: Tools,
  hold: Hold,
): Promise<readonly ObjectRow[]> => {
  const { folder, facts } = job
  const { url, size, digest } = facts.payload
  const to = folder.submissionManifest
  if (!(await isThere(to)))
    await fetcher.fetch(
      { url, size, digest: announced(digest) },
      { to, parts: folder.parts, key: 'submission-manifest' },
      hold,
    )
  try {
    const { rows } = await readManifest(createReadStream(to), ['object'])
    return await checkedRows(rows, hold)
  } catch (error) {
    if (error instanceof InvalidManifest)
      throw new StepFailure(`the manifest ${url} cannot be used: ${error.message}`, { permanent: true })
    throw error
  }
}

type ManifestRows = Awaited<ReturnType<typeof readManifest>>['rows']

/** Every row has a name that a file may have, and no two have the same one (ingest X5, X8). */
const checkedRows = async (rows: ManifestRows, { progress }: Hold): Promise<readonly ObjectRow[]> => {
  const files = new Map<string, number>()
  const folders = new Map<string, number>()
  const all: ObjectRow[] = []
  for await (const { line, url, name = '', size, digest } of rows) {
    const why = whyNotName(name)
    if (why) throw new InvalidManifest(`line ${line}: the name ${JSON.stringify(name)} ${why}`)
    const other = files.get(name) ?? folders.get(name)
    if (other !== undefined)
      throw new InvalidManifest(`line ${line}: the name ${JSON.stringify(name)} is taken by line ${other}`)
    for (const folder of foldersAbove(name)) {
      const file = files.get(folder)
      if (file !== undefined)
        throw new InvalidManifest(`line ${line}: ${JSON.stringify(folder)} is a file in line ${file}`)
      folders.set(folder, line)
    }
    files.set(name, line)
    all.push({ url, path: name, size, digest })
    progress()
  }
  if (all.length === 0) throw new InvalidManifest('it lists no file')
  return all
}

function* foldersAbove(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash)
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
