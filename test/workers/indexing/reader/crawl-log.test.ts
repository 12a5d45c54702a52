import { describe, expect, it } from 'vitest'
import {
  arcRecord,
  arcVersion,
  packed,
  warcinfo,
  warcRecord,
} from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

const url = 'metadata://archive.example/crawl/logs/crawl.log?heritrixVersion=3.4.0&jobid=7'
const columns = (
  annotations: string,
  more: Partial<Record<'time' | 'status' | 'mime' | 'digest', string>> = {},
) => {
  const {
    time = '2026-01-31T12:00:00.123Z',
    status = '200',
    mime = 'image/png',
    digest = 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  } = more
  return `${time} ${status.padStart(5)} 1234 http://example.com/a.png LE http://example.com/ ${mime} #042 20260131120000123+45 ${digest} - ${annotations}`
}
const log = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

describe('the crawl log of a metadata file', () => {
  const options = { name: '7-metadata-1.warc.gz', kind: 'metadata' as const }
  const record = (block: string) => warcRecord({ type: 'resource', contentType: 'text/plain', url, block })

  it('has a capture for each duplicate, which names the file that has the content', async () => {
    const block = log(
      columns('duplicate:"7-1.warc.gz,4245"'),
      columns('-'),
      columns('le:IOException@x,duplicate:"7-2.arc,99,20250101000000"', {
        status: '-50',
        mime: 'text/html;',
      }),
      columns('duplicate:"7-3.warc,1"', { time: '20260131120000123' }),
    )
    const capture = {
      url: 'http://example.com/a.png',
      time: '20260131120000',
      mime: 'image/png',
      status: '200',
      digest: '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
      redirect: '-',
      flags: '-',
      length: -1,
      offset: 4245,
      file: '7-1.warc.gz',
    }
    expect(await useReader(options).readBytes(packed(warcinfo(), record(block)))).toMatchObject({
      captures: [
        capture,
        { ...capture, status: '-', mime: 'text/html', file: '7-2.arc', offset: 99 },
        { ...capture, file: '7-3.warc', offset: 1 },
      ],
      summary: { records: 2, captures: 3 },
    })
  })

  it('passes over lines that say it in no form that can be used, with a warning, and over other records', async () => {
    const block = log(
      columns('duplicate:"7-1.warc.gz"'),
      columns('duplicate:"7-1.warc.gz,x"'),
      columns('duplicate:"7-1.warc.gz,1"', { time: 'now' }),
      'duplicate:"7-1.warc.gz,1"',
      `${columns('duplicate:"7-1.warc.gz,1"')}${'x'.repeat(300_000)}`,
      columns('duplicate:digest'),
      columns('duplicate:"7-9.warc.gz,9"'),
    )
    const reports = warcRecord({ type: 'resource', url: 'metadata://a/crawl/reports/seeds.txt', block })
    expect(await useReader(options).readBytes(packed(reports, record(block), warcRecord()))).toMatchObject({
      captures: [{ file: '7-9.warc.gz', offset: 9 }],
      summary: {
        warnings: [
          expect.stringMatching(
            /^lines of crawl logs that mark a duplicate, without .* can be used: 4, the first is line 1 of the record at byte \d+;/,
          ),
          expect.stringMatching(
            /^lines of crawl logs that are longer than 256 KiB: 1, the first is line 5 of the record at byte \d+;/,
          ),
        ],
      },
    })
  })

  it('may end without a line end, and be longer than what is in memory', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => columns(`duplicate:"7-1.warc.gz,${i}"`))
    const reading = await useReader(options).readBytes(record(lines.join('\n')))
    expect('captures' in reading && reading.captures.map(({ offset }) => offset)).toEqual(
      lines.map((_, i) => i),
    )
  })

  it('of an ARC file', async () => {
    const arc = arcRecord({ url, mime: 'text/plain', block: log(columns('duplicate:"7-1.arc,7"')) })
    expect(
      await useReader({ ...options, name: '7-metadata-1.arc' }).readBytes(arcVersion(), arc),
    ).toMatchObject({
      captures: [{ file: '7-1.arc', offset: 7 }],
      summary: { warnings: [] },
    })
  })

  it('without a duplicate is a file with no lines', async () => {
    expect(await useReader(options).readBytes(record(log(columns('-'))))).toMatchObject({
      summary: { captures: 0 },
    })
  })

  it('is a record as any other in a content file', async () => {
    const reading = await useReader().readBytes(record(log(columns('duplicate:"7-1.warc.gz,4245"'))))
    expect(reading).toMatchObject({ captures: [{ mime: 'text/plain', file: 'made.warc.gz' }] })
  })
})
