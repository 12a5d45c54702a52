import type { Checksum } from '../../domain/fixity/checksum.ts'
import type { BagSeen } from './bag.ts'

/** A checksum of one file in one manifest. */
export interface Word extends Checksum {
  /** Path of the manifest. */
  readonly from: string
}

/**
 * Lines of the manifests of one folder, until the walk has left the folder. A line takes about 160 bytes of memory
 * (measured, SHA-256), which are freed file by file as the walk finds them.
 */
export interface Ledger {
  readonly folder: string
  readonly words: Map<string, Word[]>
  /** A name in form NFC → the names in `words` that differ from it only in Unicode form. ASCII names are left out. */
  readonly forms: Map<string, Set<string>>
  /** Path → URL to fetch it from. */
  readonly toFetch: Map<string, string>
  /** Present if the folder is a bag. */
  readonly bag?: BagSeen
}

export const emptyLedger = (folder: string): Ledger => ({
  folder,
  words: new Map(),
  forms: new Map(),
  toFetch: new Map(),
})

export const add = (ledger: Ledger, path: string, word: Word): void => {
  const words = ledger.words.get(path)
  if (words) words.push(word)
  else ledger.words.set(path, [word])
  if (isAscii(path)) return
  const form = path.normalize('NFC')
  ledger.forms.set(form, (ledger.forms.get(form) ?? new Set()).add(path))
}

/** Returns other names in these ledgers that differ only in Unicode form. */
export const otherNames = (ledgers: readonly Ledger[], path: string): readonly string[] => {
  if (isAscii(path)) return []
  const form = path.normalize('NFC')
  const names = new Set(ledgers.flatMap(({ forms }) => [...(forms.get(form) ?? [])]))
  names.delete(path)
  return [...names]
}

/** Returns the names by which the ledger may list a path: its own, else those that differ only in Unicode form. */
export const listedAs = (ledger: Ledger, path: string): readonly string[] =>
  ledger.words.has(path) ? [path] : otherNames([ledger], path)

export const covers = (ledger: Ledger, folder: string): boolean =>
  ledger.folder === '' || folder === ledger.folder || folder.startsWith(`${ledger.folder}/`)

/** Removes a ledger's checksums of a file under any of its names, and returns them. */
export const takeWords = ({ words }: Ledger, names: readonly string[]): Word[] =>
  names.flatMap((name) => {
    const found = words.get(name) ?? []
    words.delete(name)
    return found
  })

/** Whether one manifest names a file under more than one of its names. */
export const isNamedTwice = ({ words }: Ledger, names: readonly string[]): boolean => {
  const manifests = names.flatMap((name) => [...new Set((words.get(name) ?? []).map(({ from }) => from))])
  return new Set(manifests).size < manifests.length
}

/** A manifest may have a name in another Unicode form than the file system (RFC 8493 §5.2.2). */
export const otherForms = (path: string): readonly string[] =>
  isAscii(path) ? [] : [path.normalize('NFC'), path.normalize('NFD')].filter((form) => form !== path)

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

interface Reconciled {
  readonly checksums: readonly Checksum[]
  /** The manifests that were followed, joined with commas. */
  readonly recordedFrom: string
  /** A sentence for each algorithm on which manifests disagree: all their values are kept, and none is compared. */
  readonly conflicts: readonly string[]
}

export const reconcile = (words: readonly Word[]): Reconciled => {
  const checksums: Checksum[] = []
  const conflicts: string[] = []
  const followed = new Set<string>()
  for (const [algorithm, spoken] of Map.groupBy(words, (word) => word.algorithm)) {
    const values = Map.groupBy(spoken, ({ value }) => value)
    for (const [first] of values.values())
      if (first) {
        const { value, basis } = first
        checksums.push({ algorithm, value, ...(basis && { basis }) })
      }
    for (const word of spoken) followed.add(word.from)
    const usable = spoken.filter(({ basis }) => basis === undefined)
    if (new Set(usable.map(({ value }) => value)).size > 1) conflicts.push(disagreement(algorithm, usable))
  }
  return { checksums, recordedFrom: [...followed].join(', '), conflicts }
}

const disagreement = (algorithm: string, words: readonly Word[]): string => {
  const statements = words.map((word) => `${word.from} says ${word.value}`).join(', ')
  return `its manifests disagree on ${algorithm}: ${statements}; none is compared, find out which is right`
}
