import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodingOf, linesOf } from '@fonds/bytes'
import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import { isInvalid } from '../invalid-line.ts'
import { bagNames } from '../names.ts'
import { type BagDeclaration, noDeclaration, parseDeclaration } from './declaration.ts'
import { infoFile, oxumProblem, parseBagInfo } from './info.ts'
import {
  declarationFile,
  fetchFile,
  isPayloadPath,
  isUnsafePath,
  parseFetchLine,
  parseManifestName,
  payloadFolder,
} from './lines.ts'
import { type FileOf, type Manifest, pathOf, readManifest } from './read-manifest.ts'

/* Checks that a folder is a complete and valid bag: RFC 8493 §3. */

interface CheckedFile {
  /** From the bag's folder. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

export interface CheckedBag {
  /** Why the bag is not complete, or not valid, a sentence each. A valid bag has none. */
  readonly problems: readonly string[]
  /** All files, tag files among them, sorted by path within each folder. */
  readonly files: readonly CheckedFile[]
  /** Values of bag-info.txt by label. */
  readonly info: ReadonlyMap<string, readonly string[]>
  /** Digests in the manifests of files that exist: by path, then by algorithm. Lower-case hex. */
  readonly digests: ReadonlyMap<string, Readonly<Record<string, string>>>
}

const filesAtOnce = 4

export interface BagCheck {
  /** Aborts the check. */
  readonly signal?: AbortSignal
  /** Called for each chunk that was read. */
  readonly progress?: () => void
}

/**
 * Reads every file once, four at once, and the tag files a second time, whole. Faults of the bag are reported
 * as problems. Throws errors of the file system, and the reason of the signal.
 */
export const checkBag = async (folder: string, options: BagCheck = {}): Promise<CheckedBag> => {
  const problems: string[] = []
  const report = (problem: string) => {
    problems.push(problem)
  }
  const sizes = await listFiles(folder, report)
  const isDeclared = sizes.has(declarationFile)
  if (!isDeclared) report(`there is no ${declarationFile}`)
  const declaration = isDeclared
    ? parseDeclaration(await readFile(join(folder, declarationFile)), report)
    : noDeclaration
  const read = (name: string) =>
    readLines(join(folder, name), declaration.encoding, (why) => report(`${name} ${why}`))
  const fileOf = filesByName(sizes)

  const manifests: Manifest[] = []
  for (const name of sizes.keys())
    if (parseManifestName(name))
      manifests.push(readManifest(name, await read(name), fileOf, declaration, report))
  checkListed(manifests, sizes, declaration, report)
  if (!isDeclared || !manifests.some(({ isTag }) => !isTag)) report('there is no payload manifest')
  if (!(await isFolder(join(folder, payloadFolder)))) report(`there is no folder ${payloadFolder}`)
  const info = sizes.has(infoFile) ? parseBagInfo(await read(infoFile), report) : new Map()
  checkOxum(info, sizes, report)
  if (sizes.has(fetchFile)) checkFetch(await read(fetchFile), manifests, fileOf, declaration, report)
  const listed = listedDigests(manifests)
  const files = await checkDigests(folder, sizes, listed, options, report)
  const digests = new Map(
    [...sizes.keys()].map((path) => [
      path,
      Object.fromEntries(listed(path).map(({ algorithm, digest }) => [algorithm, digest])),
    ]),
  )
  return { problems: [...new Set(problems)], files, info, digests }
}

type Report = (problem: string) => void
type Sizes = ReadonlyMap<string, number>

const listFiles = async (folder: string, report: Report): Promise<Sizes> => {
  const sizes = new Map<string, number>()
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${below}${entry.name}`
      if (entry.isDirectory()) await walk(`${path}/`)
      else if (entry.isFile()) sizes.set(path, (await lstat(join(folder, path))).size)
      else report(`${path} is neither file nor folder`)
    }
  }
  await walk('')
  return sizes
}

/** Finds files by their names, else by those that differ in Unicode form alone: two such files are two. */
const filesByName = (sizes: Sizes): FileOf => {
  const byForm = new Map([...sizes.keys()].map((path) => [path.normalize('NFC'), path]))
  return (path) => (sizes.has(path) ? path : byForm.get(path.normalize('NFC')))
}

/** Checks that listed files exist, and that the payload is listed. */
const checkListed = (
  manifests: readonly Manifest[],
  sizes: Sizes,
  { isOld }: BagDeclaration,
  report: Report,
): void => {
  for (const { name, lines } of manifests)
    for (const path of lines.keys()) if (!sizes.has(path)) report(`${path} is in ${name}, but not there`)
  const payload = manifests.filter(({ isTag }) => !isTag)
  for (const path of sizes.keys()) {
    if (!isPayloadPath(path)) continue
    const lacking = payload.filter(({ lines }) => !lines.has(path))
    if (lacking.length > 0 && (!isOld || lacking.length === payload.length))
      report(`${path} is there, but not in ${lacking.map(({ name }) => name).join(' and ')}`)
  }
}

/** Payload-Oxum: bytes and number of the payload files. */
const checkOxum = (info: ReadonlyMap<string, readonly string[]>, sizes: Sizes, report: Report): void => {
  const payload = [...sizes].filter(([path]) => isPayloadPath(path))
  const bytes = payload.reduce((sum, [, size]) => sum + size, 0)
  const problem = oxumProblem(info, { bytes, files: payload.length })
  if (problem) report(problem)
}

const checkFetch = (
  texts: readonly string[],
  manifests: readonly Manifest[],
  fileOf: FileOf,
  declaration: BagDeclaration,
  report: Report,
): void => {
  const readings = bagNames([], declaration)
  const listedAs = listedNames(manifests)
  for (const [i, text] of texts.entries()) {
    const line = parseFetchLine(text)
    if (!line) continue
    const at = `line ${i + 1} of ${fetchFile}`
    if (isInvalid(line)) {
      report(`${at} ${line.error}`)
      continue
    }
    const path = pathOf(readings({ ...line, name: line.path }), listedAs)
    if (isUnsafePath(path) || !isPayloadPath(path)) report(`${at} names ${path}, which is no payload`)
    else if (listedAs(path) === undefined) report(`${at} names ${path}, which is in no manifest`)
    else if (fileOf(path) === undefined) report(`${path} is in ${fetchFile}, and was not fetched`)
  }
}

/** Finds names in the payload manifests, which may have another Unicode form there. */
const listedNames = (manifests: readonly Manifest[]): FileOf => {
  const payload = manifests.filter(({ isTag }) => !isTag).map(({ lines }) => lines)
  const byForm = new Map<string, string>()
  for (const path of payload.flatMap((lines) => [...lines.keys()])) byForm.set(path.normalize('NFC'), path)
  return (path) => (payload.some((lines) => lines.has(path)) ? path : byForm.get(path.normalize('NFC')))
}

interface ListedDigest {
  readonly path: string
  /** Name of the manifest. */
  readonly name: string
  readonly algorithm: DigestAlgorithm
  readonly digest: string
}

/** Digests of a path in the manifests. */
const listedDigests = (manifests: readonly Manifest[]): ((path: string) => readonly ListedDigest[]) => {
  const byPath = Map.groupBy(
    manifests.flatMap(({ name, lines }) =>
      [...lines].flatMap(([path, { algorithm, value }]): readonly ListedDigest[] =>
        algorithm === undefined ? [] : [{ path, name, algorithm, digest: value }],
      ),
    ),
    ({ path }) => path,
  )
  return (path) => byPath.get(path) ?? []
}

const checkDigests = async (
  folder: string,
  sizes: Sizes,
  listedFor: ReturnType<typeof listedDigests>,
  { signal, progress }: BagCheck,
  report: Report,
): Promise<readonly CheckedFile[]> => {
  const files = new Map<string, CheckedFile>()
  const check = async (path: string, size: number) => {
    const listed = listedFor(path)
    const digests = await createDigests(['sha256', ...listed.map(({ algorithm }) => algorithm)])
    for await (const chunk of createReadStream(join(folder, path), { highWaterMark: 1024 * 1024 })) {
      signal?.throwIfAborted()
      digests.update(chunk as Buffer)
      progress?.()
    }
    const found = digests.end()
    for (const { name, algorithm, digest } of listed)
      if (found.get(algorithm) !== digest)
        report(`${path} does not have the ${algorithm} digest that ${name} gives it`)
    files.set(path, { path, size, sha256: found.get('sha256')! })
  }
  const waiting = sizes.entries()
  const checkNext = async () => {
    for (const [path, size] of waiting) await check(path, size)
  }
  const all = await Promise.allSettled(Array.from({ length: filesAtOnce }, checkNext))
  for (const one of all) if (one.status === 'rejected') throw one.reason
  return [...sizes.keys()].map((path) => files.get(path)!)
}

const readLines = async (file: string, encoding: string, report: Report): Promise<readonly string[]> => {
  const bytes = await readFile(file)
  try {
    return linesOf(
      new TextDecoder(encodingOf(encoding, bytes), { fatal: true, ignoreBOM: true }).decode(bytes),
    )
  } catch {
    report(`is no text in ${encoding}`)
    return []
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
