import { createHash } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeFiles } from './archive.ts'

/* The result of a harvest: a museum's site, harvested in three years, one archive file per year. */

interface Page {
  readonly url: string
  readonly date: string
  readonly type: string
  readonly body: string
}

const site = 'http://www.museum.example'

const page = (year: number, path: string, title: string): Page => ({
  url: `${site}${path}`,
  date: `${year}-01-31T12:00:00Z`,
  type: 'text/html',
  body: `<!DOCTYPE html><title>${title}, ${year}</title>\n<p>${`${title} in ${year}. `.repeat(60)}</p>\n`,
})

const harvestOf = (year: number): readonly Page[] => [
  page(year, '/', 'The museum'),
  page(year, '/visit?lang=en', 'Visit us'),
  page(year, '/herbals/', 'Herbals of the Alps'),
  { ...page(year, '/style.css', ''), type: 'text/css', body: `body { color: #${year} }\n` },
]

const years = [2024, 2025, 2026] as const

/** The year whose archive file has one damaged record. */
const damagedYear = 2025

const nameOf = (year: number): string => `museum-${year}.warc.gz`

export const damaged = nameOf(damagedYear)
export const frontPage = `${site}/`

/** Encodes a WARC record (WARC 1.1) as a gzip member of its own. */
const recordOf = ({ url, date, type, body }: Page): Buffer => {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const id = createHash('md5').update(`${url} ${date}`).digest('hex')
  const head = [
    'WARC/1.1',
    'WARC-Type: response',
    `WARC-Record-ID: <urn:uuid:${id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}>`,
    `WARC-Target-URI: ${url}`,
    `WARC-Date: ${date}`,
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${Buffer.byteLength(block)}`,
  ]
  return gzipSync(`${head.join('\r\n')}\r\n\r\n${block}\r\n\r\n`)
}

/** Flips one bit in the middle of the second record. */
const flipped = ([first, second, ...others]: readonly Buffer[]): readonly Buffer[] => {
  const bytes = Buffer.from(second!)
  const middle = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  return [first!, bytes, ...others]
}

/** Writes the archive files to an empty folder, each with the date of its harvest. */
export const makeCrawl = async (root: string): Promise<void> => {
  await rm(root, { recursive: true, force: true })
  for (const year of years) {
    const records = harvestOf(year).map(recordOf)
    const bytes = Buffer.concat(year === damagedYear ? flipped(records) : records)
    await writeFiles(root, [[nameOf(year), bytes]])
    const harvested = new Date(`${year}-02-01T00:00:00Z`)
    await utimes(join(root, nameOf(year)), harvested, harvested)
  }
}
