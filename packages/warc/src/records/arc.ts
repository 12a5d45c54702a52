import type { Container } from '../bytes/container.ts'
import { UnreadableArchive } from '../read-failure.ts'
import { headLength, skipEmptyLines } from './head.ts'
import type { RecordFormat, RecordHead } from './record.ts'
import { timestampOfDigits } from './timestamps.ts'

/** Bytes of empty lines behind a record: one line is the rule, some writers write more. */
const maxEmptyBytes = 64

/** ARC, versions 1 and 2. */
export const createArcFormat = (container: Container): RecordFormat => {
  const { window } = container
  let version: 1 | 2 | undefined

  const fault = (code: 'corrupt' | 'truncated', reason: string) =>
    new UnreadableArchive(code, reason, container.offset)

  const readLine = (): string => {
    for (let scanned = 0; ; scanned = window.available) {
      const newline = window.bytes.subarray(0, window.end).indexOf('\n', window.start + scanned)
      if (newline >= 0) {
        const line = window.latin1(window.start, newline)
        window.advance(newline + 1 - window.start)
        return line.endsWith('\r') ? line.slice(0, -1) : line
      }
      if (!window.more())
        throw window.available === window.bytes.length
          ? fault('corrupt', `a line is longer than ${window.bytes.length} bytes where a record should begin`)
          : fault('truncated', 'the file ends within the line that begins a record')
    }
  }

  /** Reads the first record, whose block declares the fields in the lines of all others. */
  const readVersion = (url: string | undefined, length: string): RecordHead => {
    version = window.has(2) && window.latin1(window.start, window.start + 2) === '2 ' ? 2 : 1
    const block = blockOf(length, () => headLength(window, window.bytes.length) - 1)
    return {
      ...noFields,
      ...block,
      type: 'filedesc',
      url,
      time: undefined,
      contentType: undefined,
      isHttp: false,
    }
  }

  /**
   * The length of a block, which some writers did not know. It is then the rest of the member; without a
   * member it is 0 if a record follows.
   */
  const blockOf = (
    length: string,
    otherwise: () => number,
  ): Pick<RecordHead, 'blockLength' | 'malformedLength'> => {
    const blockLength = lengthOf(length)
    if (blockLength !== undefined) return { blockLength }
    const unknown = container.isCompressed ? Number.POSITIVE_INFINITY : Math.max(0, otherwise())
    return { blockLength: unknown, malformedLength: length }
  }

  return {
    readHead: () => {
      const fields = readLine().split(' ')
      const length = fields.at(-1) ?? ''
      if (version === undefined) return readVersion(fields[0], length)
      const dateAt = version === 1 ? lastDate(fields) : fields.length - 8
      const time = dateAt < 2 ? undefined : timestampOfDigits(fields[dateAt] ?? '')
      if (time === undefined) throw fault('corrupt', noRecord)
      const url = fields.slice(0, dateAt - 1).join(' ')
      return {
        ...noFields,
        ...blockOf(length, () => 0),
        type: 'response',
        url,
        time,
        contentType: fields[dateAt + 1],
        isHttp: /^https?:/i.test(url),
      }
    },
    readEnd: () => {
      if (skipEmptyLines(window, maxEmptyBytes) > 0 || container.isCompressed || !window.has(1)) return true
      throw fault('corrupt', 'a record does not end where its length says')
    },
  }
}

/** Fields that ARC does not have. */
const noFields = { format: 'arc', id: undefined, payloadDigest: undefined, refersTo: undefined } as const

const noRecord =
  'no record begins where the one before ends: the length of that one is wrong, or the file is damaged'

/**
 * Index of the date, which separates fields, as URLs and media types may have blanks. A media type and a
 * length follow it.
 */
const lastDate = (fields: readonly string[]): number =>
  fields.findLastIndex((field, i) => i <= fields.length - 3 && timestampOfDigits(field) !== undefined)

const lengthOf = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
