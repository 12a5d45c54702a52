import {
  bagNames,
  checksumFile,
  checksumName,
  createManifestRules,
  declarationFile,
  fetchFile,
  hashdeepLines,
  isHashdeep,
  isHashdeepText,
  isNoText,
  isPayloadPath,
  manifestAlgorithm,
  parseChecksumLine,
  parseFetchLine,
  parseManifestLine,
} from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'
import type { ContentStore } from '../../ports/content-store.ts'
import { type BagSeen, countProblems, openBag } from './bag.ts'
import { emptyLedger, type Ledger, listedAs } from './ledger.ts'
import { pathIn, resolveName } from './manifest.ts'
import {
  createLineProblems,
  type Into,
  type ManifestKind,
  notRead,
  parseLines,
  readManifest,
} from './manifest-words.ts'
import type { Problem } from './problem.ts'
import { createSidecars } from './sidecar.ts'

/** Reads the manifests among a folder's own files. The ledger is undefined if there are none. */
export const readManifests = async (
  store: ContentStore,
  folder: string,
  names: readonly string[],
): Promise<{ readonly ledger: Ledger | undefined; readonly problems: readonly Problem[] }> => {
  const ledger = emptyLedger(folder)
  const problems: Problem[] = []
  const into = { store, folder, names, sidecars: createSidecars(names), ledger, problems }
  const bag = names.includes(declarationFile) ? await openBag(store, folder, names, problems) : undefined
  if (bag) await readBag(into, bag)
  for (const name of names) {
    const path = pathIn(folder, name)
    if (manifestAlgorithm(name) !== undefined) {
      if (!bag)
        problems.push({ kind: 'problem', path, reason: `is not read: no ${declarationFile} beside it` })
    } else {
      const kind = kindOf(name)
      if (kind) await readManifest(into, path, kind)
    }
  }
  return { ledger: bag || ledger.words.size > 0 ? { ...ledger, ...(bag && { bag }) } : undefined, problems }
}

/** How a file of checksums is read, by its name; undefined for any other file. */
const kindOf = (name: string): ManifestKind | undefined => {
  const sums = checksumFile(name)
  const readings = () => checksumName
  if (sums) return { parse: (line) => parseChecksumLine(line, sums), readings, isOther: isNoText }
  if (!isHashdeep(name)) return undefined
  return { parse: hashdeepLines(), readings, isOther: (beginning) => !isHashdeepText(beginning) }
}

/** Reads the manifests of a bag, and its fetch.txt. */
const readBag = async (into: Into, bag: BagSeen): Promise<void> => {
  const { folder, names, problems } = into
  for (const name of names) {
    const algorithm = manifestAlgorithm(name)
    if (algorithm === undefined) continue
    await readManifest(into, pathIn(folder, name), {
      encoding: bag.encoding,
      parse: (line) => parseManifestLine(line, algorithm),
      readings: (lines) => bagNames(lines, bag),
      rules: createManifestRules(name, bag),
    })
  }
  if (names.includes(fetchFile)) await readToFetch(into, bag)
  countProblems(bag, problems)
}

const readToFetch = async ({ store, folder, ledger, problems }: Into, bag: BagSeen): Promise<void> => {
  const path = pathIn(folder, fetchFile)
  const lineProblems = createLineProblems(path)
  const { report } = lineProblems
  const readings = bagNames([], bag)
  const root = pathIn(folder, '').length
  const failure = await parseLines(
    { store, path, encoding: bag.encoding, parse: parseFetchLine, report },
    (line, number) => {
      const { names, ifMissing } = readings({ ...line, name: line.path })
      const paths = [...names, ifMissing].map((name) => resolveName(folder, name))
      const listed = paths.flatMap((one) => (E.isRight(one) ? listedAs(ledger, one.right) : []))[0]
      const last = paths.at(-1)
      if (listed !== undefined && !isPayloadPath(listed.slice(root)))
        report(number, `names ${JSON.stringify(line.path)}, which is no payload`)
      else if (listed !== undefined) ledger.toFetch.set(listed, line.url)
      else if (last && E.isLeft(last)) report(number, last.left)
      else report(number, `${JSON.stringify(line.path)} is in no manifest of the bag`)
    },
  )
  problems.push(...lineProblems.all())
  if (failure) problems.push(notRead(path, failure))
}
