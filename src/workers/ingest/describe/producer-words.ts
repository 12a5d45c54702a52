import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalId } from '../../../domain/ingest/ids.ts'
import type { Description } from '../../../domain/ingest/payload.ts'
import { StepFailure } from '../steps/step.ts'

/* What a depositor says of an object in files beside its own: `mrt-erc.txt`, `mrt-embargo.txt`, `mrt-delete.txt`. */

interface ProducerWords {
  readonly description: Description
  readonly localIds: readonly string[]
  /** Names that an update leaves out, as they are in the object. */
  readonly deletions: readonly string[]
  /** The text of the list of them. */
  readonly deleteList?: string
}

/** Throws `StepFailure`. */
export const readProducerWords = async (producer: string): Promise<ProducerWords> => {
  const kernel = ercWords(await textOf(producer, 'mrt-erc.txt'))
  failUnlessEmbargo(await textOf(producer, 'mrt-embargo.txt'))
  const deleteList = await textOf(producer, 'mrt-delete.txt')
  return {
    ...kernel,
    deletions: (deleteList ?? '')
      .split(/\r?\n/)
      .map(asPath)
      .filter((path) => path !== 'producer/'),
    ...(deleteList !== undefined && { deleteList }),
  }
}

const maxBytes = 1024 ** 2

const textOf = async (producer: string, name: string): Promise<string | undefined> => {
  const path = join(producer, name)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  if (found.size > maxBytes) throw new StepFailure(`${name} is larger than ${maxBytes} bytes`)
  return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
}

/** Names are as they were submitted; `producer/` before them is what they are called in the object. */
const asPath = (line: string): string => {
  const name = line.trim()
  return name.startsWith('producer/') ? name : `producer/${name}`
}

const kernelWords = ['who', 'what', 'when'] as const
const maxLength = 4000

/** `where` holds identifiers: what is no ARK and no address is a local id. */
const ercWords = (text = ''): Pick<ProducerWords, 'description' | 'localIds'> => {
  const said = text.split(/\r?\n/).flatMap((line) => {
    const [, word, value] = /^\s*(who|what|when|where)(?:\/[^:]*)?\s*:\s*(.+?)\s*$/i.exec(line) ?? []
    return word && value && !/^\(:\w+\)$/.test(value) ? [{ word: word.toLowerCase(), value }] : []
  })
  const of = (wanted: string) =>
    said.filter(({ word }) => word === wanted).map(({ value }) => value.slice(0, maxLength))
  const description = Object.fromEntries(
    kernelWords.map((word) => [word, of(word).join('; ')] as const).filter(([, value]) => value !== ''),
  )
  const localIds = of('where').filter((id) => !/^(ark:|https?:)/i.test(id) && LocalId.is(id))
  return { description, localIds: [...new Set(localIds)] }
}

const isoDate = /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/

/** X16: a date, or that there is none. Who reads the object obeys it. */
const failUnlessEmbargo = (text: string | undefined): void => {
  if (text === undefined) return
  const line = text.split(/\r?\n/).find((one) => one.trim() !== '') ?? ''
  const value = line.replace(/^\s*embargoEndDate\s*:/i, '').trim()
  const isValid = isoDate.test(value) && !Number.isNaN(Date.parse(value))
  if (!isValid && value.toLowerCase() !== 'none')
    throw new StepFailure(`mrt-embargo.txt says ${JSON.stringify(value)}: that is neither a date nor "none"`)
}
