import type { Capture } from '@fonds/cdx'
import { timestampOfDate, timestampOfDigits } from '@fonds/warc'
import { digestToken, mimeToken, urlToken } from './tokens.ts'

/** Maximum length of a line; longer ones are skipped. */
const maxLine = 256 * 1024

/** True if the record is a crawl log, as Heritrix writes it and archives keep it in metadata files. */
export const isCrawlLog = (url: string): boolean => /^metadata:\/\/\S*\/crawl\.log/i.test(url)

/** File and offset at which the content of a duplicate was stored when it was first harvested. */
const duplicate = /duplicate:"([^",]+),(\d{1,15})(?:,[^"]*)?"/

/**
 * Returns the capture for a line of a crawl log that marks its content as a duplicate: it names the file that holds the
 * content. Columns: time, status, size, URL, path, referrer, media type, thread, times of fetching, digest, source,
 * annotations. Undefined if the line marks no duplicate, or not in this form.
 */
export const duplicateOf = (line: string): Capture | undefined => {
  const [, file, offset] = duplicate.exec(line) ?? []
  if (file === undefined) return undefined
  const [time = '', status = '', , url, , , mime, , , digest] = line.trim().split(/\s+/)
  const digits = timestampOfDate(time) ?? timestampOfDigits(time)
  if (digits === undefined || !url) return undefined
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

/** Splits chunks of bytes into lines. */
export const createLineSplitter = (take: (line: string) => void) => {
  let rest = ''
  return {
    push: (bytes: Buffer): void => {
      const lines = (rest + bytes.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.length <= maxLine) take(line)
      // Its beginning is kept, so that the rest is still known to be too long.
      if (rest.length > maxLine) rest = rest.slice(0, maxLine + 1)
    },
    end: (): void => {
      if (rest !== '' && rest.length <= maxLine) take(rest)
    },
  }
}
