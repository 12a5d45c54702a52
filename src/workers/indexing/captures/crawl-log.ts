import type { Capture } from '@fonds/cdx'
import { timestampOfDate, timestampOfDigits } from '@fonds/warc'
import { digestToken, mimeToken, urlToken } from './tokens.ts'

/** Maximum length of a line; longer ones are counted, and skipped. */
const maxLine = 256 * 1024

/** True if the record is a crawl log, as Heritrix writes it and archives keep it in metadata files. */
export const isCrawlLog = (url: string): boolean => /^metadata:\/\/\S*\/crawl\.log/i.test(url)

/** Begins the annotation of a duplicate that another file holds. Heritrix itself writes `duplicate:digest`, without a file. */
const mark = 'duplicate:"'

/** File and offset at which the content of a duplicate was stored when it was first harvested. */
const duplicate = /duplicate:"([^",]+),(\d{1,15})(?:,[^"]*)?"/

/**
 * Returns the capture for a line of a crawl log that marks its content as a duplicate: it names the file that holds the
 * content. Columns: time, status, size, URL, path, referrer, media type, thread, times of fetching, digest, source,
 * annotations. Undefined if the line marks no duplicate; `unusable` if it marks one in another form.
 */
export const duplicateOf = (line: string): Capture | 'unusable' | undefined => {
  if (!line.includes(mark)) return undefined
  const [, file, offset] = duplicate.exec(line) ?? []
  const [time = '', status = '', , url, , , mime, , , digest] = line.trim().split(/\s+/)
  const digits = timestampOfDate(time) ?? timestampOfDigits(time)
  if (file === undefined || digits === undefined || !url) return 'unusable'
  return {
    url: urlToken(url),
    time: digits,
    mime: mimeToken(mime),
    status: /^\d{3}$/.test(status) ? status : '-',
    digest: digestToken(digest) ?? '-',
    redirect: '-',
    flags: '-',
    length: -1,
    offset: Number(offset),
    file: urlToken(file),
  }
}

interface LineReader {
  readonly take: (line: string, number: number) => void
  readonly tooLong: (number: number) => void
}

/** Splits chunks of bytes into lines, and counts them from 1. */
export const createLineSplitter = ({ take, tooLong }: LineReader) => {
  let rest = ''
  let number = 0
  const pass = (line: string) => {
    number++
    if (line.length <= maxLine) take(line, number)
    else tooLong(number)
  }
  return {
    push: (bytes: Buffer): void => {
      const lines = (rest + bytes.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) pass(line)
      // Its beginning is kept, so that the rest is still known to be too long.
      if (rest.length > maxLine) rest = rest.slice(0, maxLine + 1)
    },
    end: (): void => {
      if (rest !== '') pass(rest)
    },
  }
}
