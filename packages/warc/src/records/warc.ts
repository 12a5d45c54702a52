import type { Container } from '../bytes/container.ts'
import { UnreadableArchive } from '../read-failure.ts'
import { skipEmptyLines } from './head.ts'
import type { RecordFormat } from './record.ts'
import { readWarcFields, recordHeadOf } from './warc-head.ts'

const version = /^WARC\/(?:0\.17|0\.18|1\.0|1\.1)[ \t]*\r?\n/
const nextVersion = 'WARC/'
/** Bytes of the version line that are checked. */
const maxFirstLine = 32
/** Bytes of empty lines behind a record: two lines are the rule, some writers write more. */
const maxEmptyBytes = 64

/** WARC 0.17, 0.18, 1.0 and 1.1. */
export const createWarcFormat = (container: Container): RecordFormat => {
  const { window } = container

  const fault = (code: 'corrupt' | 'truncated', reason: string) =>
    new UnreadableArchive(code, reason, container.offset)

  const noHead = (): UnreadableArchive => {
    const first = window.latin1(window.start, window.start + Math.min(window.available, maxFirstLine))
    if (!version.test(first)) return fault(isCut(first) ? 'truncated' : 'corrupt', wrongVersion(first))
    const { length } = window.bytes
    return window.available === length
      ? fault('corrupt', `the head of a record is longer than ${length} bytes`)
      : fault('truncated', 'the file ends within the head of a record')
  }

  /**
   * A record that lacks its two empty lines is whole if its member or the file ends here, or the next record
   * begins here.
   */
  const isWhole = (): boolean =>
    !window.has(1) ||
    (!container.isCompressed &&
      window.has(nextVersion.length) &&
      window.latin1(window.start, window.start + nextVersion.length) === nextVersion)

  return {
    readHead: () => {
      const head = readWarcFields(window, window.bytes.length)
      if (!head || !version.test(head.text)) throw noHead()
      const record = recordHeadOf(head.fields, fault)
      window.advance(head.length)
      return record
    },
    readEnd: () => {
      if (skipEmptyLines(window, maxEmptyBytes) >= 2) return true
      if (isWhole()) return false
      throw fault('corrupt', 'a record does not end where its Content-Length says')
    },
  }
}

/** Returns true if the file ends within the first line. */
const isCut = (text: string): boolean =>
  text.length < 11 && !text.includes('\n') && ('WARC/'.startsWith(text) || text.startsWith('WARC/'))

const wrongVersion = (text: string): string =>
  text.startsWith('WARC/')
    ? 'a record has another version than 0.17, 0.18, 1.0 and 1.1, which can be read'
    : 'no record begins where the one before ends: the Content-Length of that one is wrong, or the file is damaged'
