import { type DigestAlgorithm, digestAlgorithm, isAlgorithmName } from '@fonds/digests'
import type { ManifestLine } from '../checksums/checksum-file.ts'
import { isInvalid } from '../invalid-line.ts'
import { bagNames, type NameReadings } from '../names.ts'
import type { BagDeclaration } from './declaration.ts'
import { isUnsafePath, parseManifestName } from './lines.ts'
import { createManifestRules, manifestAlgorithm, parseManifestLine } from './manifest.ts'

/* A manifest of a bag, read whole. */

interface ListedDigest {
  /** Undefined for an algorithm that cannot be computed here. */
  readonly algorithm: DigestAlgorithm | undefined
  /** Lower-case hex. */
  readonly value: string
}

export interface Manifest {
  readonly name: string
  readonly isTag: boolean
  /** Digests by path: that of the file, if it is there. */
  readonly lines: ReadonlyMap<string, ListedDigest>
}

/** Finds the file of a path, which may have another Unicode form; undefined if it is not there. */
export type FileOf = (path: string) => string | undefined

/** The path of the bag that a name means: one that is there, or the one of a missing file. */
export const pathOf = ({ names, ifMissing }: NameReadings, fileOf: FileOf): string => {
  for (const name of names) {
    const file = fileOf(withoutDots(name))
    if (file !== undefined) return file
  }
  return withoutDots(ifMissing)
}

/** `./data//a` → `data/a`. */
const withoutDots = (path: string): string =>
  /(^|\/)(\.?\/|\.$)/.test(path.slice(1)) || path.startsWith('./')
    ? `${path.startsWith('/') ? '/' : ''}${path
        .split('/')
        .filter((segment) => segment !== '' && segment !== '.')
        .join('/')}`
    : path

/** Reads a manifest's lines. Calls `report` with a sentence per problem. */
export const readManifest = (
  name: string,
  texts: readonly string[],
  fileOf: FileOf,
  declaration: BagDeclaration,
  report: (problem: string) => void,
): Manifest => {
  const { algorithm: written = '', isTag = false } = parseManifestName(name) ?? {}
  const algorithm = manifestAlgorithm(name) ?? ''
  if (!isAlgorithmName(written))
    report(`${name} cannot be checked: the algorithm ${written} is not known here`)
  const parsed = texts.flatMap((text, i): readonly { readonly at: string; readonly line: ManifestLine }[] => {
    const at = `line ${i + 1} of ${name}`
    const line = parseManifestLine(text, algorithm)
    if (isInvalid(line)) report(`${at} ${line.error}`)
    return line === undefined || isInvalid(line) ? [] : [{ at, line }]
  })
  const readings = bagNames(
    parsed.map(({ line }) => line),
    declaration,
  )
  const rules = createManifestRules(name, declaration)
  const lines = new Map<string, ListedDigest>()
  for (const { at, line } of parsed) {
    const path = pathOf(readings(line), fileOf)
    const wrong = isUnsafePath(path)
      ? `names ${JSON.stringify(path)}, which leads out of the bag`
      : rules(path, line.value)
    if (wrong !== undefined) report(`${at} ${wrong}`)
    else if (line.isMalformed) report(`${at} has no ${algorithm} digest`)
    else lines.set(path, { algorithm: digestAlgorithm(line.algorithm), value: line.value.toLowerCase() })
  }
  return { name, isTag, lines }
}
