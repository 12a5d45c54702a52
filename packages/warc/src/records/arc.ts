import type { Container } from '../bytes/container.ts'
import { UnreadableArchive } from '../read-failure.ts'
import { type ArcVersion, beginsArc, maxArcLine, readArcLine } from './arc-line.ts'
import { headLength, skipEmptyLines } from './head.ts'
import type { RecordFormat, RecordHead } from './record.ts'

/** Bytes of empty lines behind a record: one line is the rule, some writers write more. */
const maxEmptyBytes = 64

/** ARC, versions 1 and 2. Several files may stand one behind the other. */
export const createArcFormat = (container: Container): RecordFormat => {
  const { window } = container
  let version: ArcVersion | undefined

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

  /** Reads the record that begins a file, whose block declares the fields in the lines of all others. */
  const readVersion = (line: string): RecordHead => {
    const digit = window.has(2) ? window.latin1(window.start, window.start + 2) : ''
    if (digit === '1 ' || digit === '2 ') version = digit === '2 ' ? 2 : 1
    const fields = line.split(' ')
    const block = blockOf(fields.at(-1) ?? '', () => headLength(window, window.bytes.length) - 1)
    return {
      ...noFields,
      ...block,
      type: 'filedesc',
      url: fields[0],
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

  /** Some writers count the line feed behind a record in its length, and some write none. */
  const isNext = (): boolean => {
    window.has(maxArcLine)
    return beginsArc(window.latin1(window.start, window.start + Math.min(window.available, maxArcLine)))
  }

  let isFiledesc = false
  return {
    readHead: () => {
      const line = readLine()
      isFiledesc = /^filedesc:/i.test(line)
      if (isFiledesc) return readVersion(line)
      const record = readArcLine(line, version)
      if (!record) throw fault('corrupt', noRecord)
      const { url, time, contentType, length } = record
      return {
        ...noFields,
        ...blockOf(length, () => 0),
        type: 'response',
        url,
        time,
        contentType,
        isHttp: /^https?:/i.test(url),
      }
    },
    readEnd: () => {
      if (skipEmptyLines(window, maxEmptyBytes) > 0 || container.isCompressed || !window.has(1)) return true
      if (isNext()) return isFiledesc
      throw fault('corrupt', 'a record does not end where its length says')
    },
  }
}

/** Fields that ARC does not have. */
const noFields = { format: 'arc', id: undefined, payloadDigest: undefined, refersTo: undefined } as const

const noRecord =
  'no record begins where the one before ends: the length of that one is wrong, or the file is damaged'

const lengthOf = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
