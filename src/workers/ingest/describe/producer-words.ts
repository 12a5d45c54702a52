import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localIdsIn } from '@fonds/bag'
import { linesOf } from '@fonds/bytes'
import { LocalId } from '../../../domain/ingest/ids.ts'
import type { Description, ObjectFile } from '../../../domain/ingest/payload.ts'
import type { Profile } from '../../../domain/ingest/profile/profile.ts'
import type { EmbargoWord } from '../../../domain/kernel/embargo.ts'
import { embargoFile, embargoIn, embargoValue } from '../../../domain/kernel/embargo-file.ts'
import { utf8Text } from '../../runtime/utf8.ts'
import { StepFailure } from '../steps/step.ts'
import { parseXml, UnreadableXml, type XmlElement } from '../xml.ts'
import { readDataCite } from './datacite-file.ts'
import { deletionList } from './deletions.ts'
import type { DublinCore } from './dublin-core.ts'
import { readDublinCore } from './dublin-core-file.ts'
import { isKnown, type Kernel, kernelOf } from './kernel.ts'

/* Metadata of an object, in files that its depositor submitted with it. */

interface ProducerWords {
  /** From Dublin Core. */
  readonly fallback: Kernel
  /** From DataCite, overridden by ERC. */
  readonly kernel: Kernel
  readonly dublinCore: DublinCore
  readonly localIds: readonly string[]
  /** Text of the list of deletions. */
  readonly deleteList?: string
  /** Absent: the files say nothing of an embargo. */
  readonly embargoUntil?: EmbargoWord
}

/** Names of the metadata files in the object. */
export const metadataNames: readonly string[] = [
  ...['mrt-erc.txt', 'mrt-dc.xml', 'mrt-datacite.xml', embargoFile],
  deletionList,
]

/**
 * Reads the metadata files. `files`: all submitted files, by their names in the object. Throws `StepFailure` if one of
 * them cannot be read.
 */
export const readProducerWords = async (
  producer: string,
  files: readonly ObjectFile[],
  profile: Profile,
): Promise<ProducerWords> => {
  const read = readerOf(producer, files)
  const erc = ercWords(await readText(read, 'mrt-erc.txt'))
  const dublinCore = (await readXml(read, 'mrt-dc.xml', readDublinCore)) ?? {}
  const dataCite = (await readXml(read, 'mrt-datacite.xml', readDataCite)) ?? {}
  const embargoUntil = embargoOf(await readText(read, embargoFile))
  const deleteList = await readText(read, deletionList)
  const { creator: who = [], title: what = [], date: when = [], identifier = [] } = dublinCore
  return {
    fallback: kernelOf({ who, what, when }),
    kernel: { ...dataCite, ...erc.kernel },
    dublinCore,
    localIds: localIdsAmong([...erc.where, ...(profile.ignoreDcIdentifiers ? [] : identifier)]),
    ...(deleteList !== undefined && { deleteList }),
    ...(embargoUntil !== undefined && { embargoUntil }),
  }
}

/**
 * Describes the object (reference ingest §2.3): Dublin Core, overridden by what was submitted with it, that by
 * DataCite, and all by ERC.
 */
export const describedBy = (submitted: Description | undefined, words: ProducerWords): Description => ({
  ...words.fallback,
  ...submitted,
  ...words.kernel,
})

const maxBytes = 1024 ** 2

/** Returns the bytes of a file; undefined if none has that name. */
type Read = (name: string) => Promise<Buffer | undefined>

const readerOf = (producer: string, files: readonly ObjectFile[]): Read => {
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  return async (name) => {
    const size = sizes.get(`producer/${name}`)
    if (size === undefined) return undefined
    if (size > maxBytes) throw new StepFailure(`${name} is larger than ${maxBytes} bytes`)
    return readFile(join(producer, name))
  }
}

const readText = async (read: Read, name: string): Promise<string | undefined> => {
  const bytes = await read(name)
  const text = bytes && utf8Text(bytes)
  if (bytes && text === undefined)
    throw new StepFailure(`${name} is no UTF-8 text and cannot be read; send it in UTF-8`)
  return text?.replace(/^\uFEFF/, '')
}

const readXml = async <A>(
  read: Read,
  name: string,
  understand: (root: XmlElement) => A,
): Promise<A | undefined> => {
  const bytes = await read(name)
  try {
    return bytes && understand(parseXml(bytes))
  } catch (error) {
    if (error instanceof UnreadableXml) throw new StepFailure(`${name} ${error.message}`, { cause: error })
    throw error
  }
}

const ercWords = (text = ''): { readonly kernel: Kernel; readonly where: readonly string[] } => {
  const lines = linesOf(text).flatMap((line) => {
    const colon = line.indexOf(':')
    const word = line.slice(0, colon).split('/', 1)[0]?.trim().toLowerCase() ?? ''
    return colon === -1 ? [] : [{ word, value: line.slice(colon + 1).trim() }]
  })
  const of = (wanted: string) => lines.filter(({ word }) => word === wanted).map(({ value }) => value)
  return { kernel: kernelOf({ who: of('who'), what: of('what'), when: of('when') }), where: of('where') }
}

/** Each is looked up and claimed separately. */
const maxLocalIds = 100

/** Ids that are neither ARKs nor URLs are the producer's local ids. */
const localIdsAmong = (ids: readonly string[]): readonly string[] => {
  const local = ids
    .flatMap(localIdsIn)
    .filter((id) => isKnown(id) && !/^(ark:|https?:)/i.test(id) && LocalId.is(id))
  const different = [...new Set(local)]
  if (different.length > maxLocalIds)
    throw new StepFailure(
      `mrt-erc.txt and mrt-dc.xml name ${different.length} local ids; name ${maxLocalIds} at most`,
    )
  return different
}

/** X16: the text must be a date or `none`. */
const embargoOf = (text: string | undefined): EmbargoWord | undefined => {
  if (text === undefined) return undefined
  const found = embargoIn(text)
  if (found !== undefined) return found
  const value = JSON.stringify(embargoValue(text))
  throw new StepFailure(`${embargoFile} says ${value}: that is neither a date nor "none"`)
}
