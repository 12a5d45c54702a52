import { declarationFile } from '@fonds/bag'
import { quoted } from '../files/file-name.ts'
import { firstProblems } from '../first-problems.ts'
import { containerKind } from '../unpack/container.ts'

/** Files that file managers put beside a folder, or into an archive of it. */
const ofFileManager = /^(__MACOSX\/|(\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$)/i

export const isOfFileManager = (path: string): boolean => ofFileManager.test(path)

/** Folder at the top of a path: `b/` of `b/data/a.txt`; empty for a file at the top. */
const topOf = (path: string): string => path.slice(0, path.indexOf('/') + 1)

const topsOf = (paths: Iterable<string>) => {
  const tops = new Map<string, string>()
  const bags = new Set<string>()
  for (const path of paths) {
    if (isOfFileManager(path)) continue
    const top = topOf(path)
    if (path === `${top}${declarationFile}`) bags.add(top)
    if (!tops.has(top)) tops.set(top, path)
  }
  return { tops, bags }
}

/**
 * Finds the bag among the files of a container or a folder: it lies there without a folder (empty text), or as one
 * folder (`b/`), alone but for files of file managers (RFC 8493 §4). Undefined: it is neither.
 */
export const findBag = (paths: Iterable<string>): string | undefined => {
  const { tops, bags } = topsOf(paths)
  if (bags.has('')) return ''
  const [top] = bags
  return tops.size === 1 ? top : undefined
}

/** Says what else lies there. Undefined where there is neither a bag nor a container, at most one folder deep. */
export const whyNoBag = (paths: Iterable<string>): string | undefined => {
  const { tops, bags } = topsOf(paths)
  const [bag, ...more] = [...bags].map((top) => quoted(top))
  if (bag === undefined) return whyContainers(paths, tops.size === 1 ? [...tops.keys()][0] : '')
  if (findBag(paths) !== undefined) return undefined
  if (more.length > 0)
    return `there are ${more.length + 1} bags, ${firstProblems([bag, ...more])}; submit each by itself`
  const [other = ''] = [...tops].filter(([top]) => !bags.has(top)).map(([, path]) => path)
  return `the bag ${bag} is not alone: beside it lies ${quoted(other)}; submit the bag without, or the whole with another type`
}

/** Names the containers in a folder: each may be a bag, and the folder is none. */
const whyContainers = (paths: Iterable<string>, folder = ''): string | undefined => {
  const containers = [...paths].filter(
    (path) =>
      path.lastIndexOf('/') + 1 === folder.length &&
      !isOfFileManager(path) &&
      containerKind(path) !== undefined,
  )
  if (containers.length === 0) return undefined
  const counted = containers.length === 1 ? 'a container' : `${containers.length} containers`
  return `there is no ${declarationFile}, but ${counted}, ${firstProblems(containers.map((path) => quoted(path)))}: a container is a submission of its own; submit each by itself`
}

export interface BagFiles<File> {
  /** The folder of the bag, with its slash; empty where it has none. */
  readonly top: string
  /** By their paths in the bag. */
  readonly files: readonly File[]
  /** Sentence on the files beside the bag. */
  readonly warning: string | undefined
}

/** Takes the bag out of files that were found; all of them where there is none. */
export const bagAmong = <File extends { readonly path: string }>(found: readonly File[]): BagFiles<File> => {
  const top = findBag(found.map(({ path }) => path)) ?? ''
  if (top === '') return { top, files: found, warning: undefined }
  const beside = found.filter(({ path }) => !path.startsWith(top)).map(({ path }) => quoted(path))
  return {
    top,
    files: found
      .filter(({ path }) => path.startsWith(top))
      .map((file) => ({ ...file, path: file.path.slice(top.length) })),
    warning:
      beside.length > 0
        ? `what lies beside the bag ${quoted(top)} is not kept: ${firstProblems(beside)}`
        : undefined,
  }
}
