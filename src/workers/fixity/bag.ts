import {
  type BagDeclaration,
  declarationFile,
  fetchFile,
  infoFile,
  isPayloadManifest,
  isPayloadPath,
  oxumProblem,
  parseBagInfo,
  parseDeclaration,
  parseManifestName,
} from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'
import type { ContentStore } from '../../ports/content-store.ts'
import { readLines } from './lines.ts'
import { pathIn } from './manifest.ts'
import { failureText, type Problem } from './problem.ts'

/*
 * BagIt, RFC 8493: the meaning of its files, and whether a bag is complete. A check of its bytes tells whether it is
 * valid.
 */

/** State of a walk through a bag. */
export interface BagSeen extends BagDeclaration {
  /** `''` is the root. */
  readonly folder: string
  /** Paths of its payload manifests. */
  readonly manifests: readonly string[]
  readonly info: ReadonlyMap<string, readonly string[]>
  /** Bytes and files of the payload met so far. */
  bytes: number
  files: number
  /** Number of problems found. */
  problems: number
  /** The first of them. */
  readonly firstProblems: Problem[]
  /** Files outside of the payload that no manifest names, and that are no part of a bag by their names. */
  strays: number
  firstStray: string | undefined
}

const maxFirst = 5

/** Counts problems of a bag, and keeps the first ones. */
export const countProblems = (bag: BagSeen, found: readonly Problem[]): void => {
  bag.problems += found.length
  bag.firstProblems.push(...found.slice(0, Math.max(0, maxFirst - bag.firstProblems.length)))
}

/** Reads the declaration and bag-info.txt of a folder that is a bag. */
export const openBag = async (
  store: ContentStore,
  folder: string,
  names: readonly string[],
  problems: Problem[],
): Promise<BagSeen> => {
  const pathOf = (name: string) => pathIn(folder, name)
  const report = (reason: string) => {
    problems.push({ kind: 'problem', path: folder || '.', reason })
  }
  const declaration = parseDeclaration(await readBeginning(store, pathOf(declarationFile), report), report)
  const lines: string[] = []
  if (names.includes(infoFile)) {
    const failure = await readLines(store, pathOf(infoFile), declaration.encoding, (line) => {
      if (line === undefined) report(`${infoFile} is not ${declaration.encoding} text, or a line is too long`)
      else if (lines.length < maxInfoLines) lines.push(line)
    })
    if (failure) report(`${infoFile} could not be read: ${failureText(failure)}`)
  }
  const manifests = names.filter(isPayloadManifest).map(pathOf)
  if (manifests.length === 0) report('there is no payload manifest')
  const info = parseBagInfo(lines, report)
  const counts = { bytes: 0, files: 0, problems: 0, strays: 0 }
  return { ...declaration, folder, manifests, info, ...counts, firstProblems: [], firstStray: undefined }
}

const maxInfoLines = 100_000
/** Bytes. A declaration has two short lines. */
const maxDeclaration = 64 * 1024

const readBeginning = async (
  store: ContentStore,
  path: string,
  report: (problem: string) => void,
): Promise<Uint8Array> => {
  let bytes: Uint8Array<ArrayBufferLike> = new Uint8Array()
  const read = await store.read(path, {}, (chunk) => {
    if (bytes.length < maxDeclaration) bytes = Buffer.concat([bytes, chunk])
  })()
  if (E.isLeft(read)) report(`${declarationFile} could not be read: ${failureText(read.left)}`)
  return bytes
}

/**
 * Counts a file of the bag. `from` are the manifests that name it. Returns why it makes the bag incomplete; undefined
 * if it does not.
 */
export const meet = (
  bag: BagSeen,
  path: string,
  size: number,
  from: readonly string[],
): string | undefined => {
  const name = path.slice(pathIn(bag.folder, '').length)
  if (!isPayloadPath(name)) {
    if (from.length > 0 || isOwnFile(name)) return undefined
    bag.strays++
    bag.firstStray ??= path
    return undefined
  }
  bag.bytes += size
  bag.files++
  const lacking = bag.manifests.filter((manifest) => !from.includes(manifest))
  if (lacking.length === 0 || (bag.isOld && lacking.length < bag.manifests.length)) return undefined
  return `is payload of a bag, and not in ${lacking.join(' and ')}`
}

/** Files that RFC 8493 gives a meaning to by their names; no manifest has to name them. */
const isOwnFile = (name: string): boolean =>
  [declarationFile, infoFile, fetchFile].includes(name) || parseManifestName(name) !== undefined

/** Returns the problems of the bag as a whole, after the walk has left it. */
export const leave = async (store: ContentStore, bag: BagSeen): Promise<readonly string[]> => {
  const oxum = oxumProblem(bag.info, bag)
  const isThere = bag.files > 0 || (await hasFolder(store, pathIn(bag.folder, 'data')))
  return [...(oxum ? [oxum] : []), ...(isThere ? [] : ['there is no folder data/'])]
}

/** A folder that is not there is skipped under its own path. */
const hasFolder = async (store: ContentStore, path: string): Promise<boolean> => {
  for await (const found of store.folder(path)) return found.kind !== 'skipped' || found.skipped.path !== path
  return true
}
