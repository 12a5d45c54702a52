import { expect, it } from 'vitest'
import { withSameRecords } from '#src/projections/indexing/captures/same-records.ts'
import { indexOf } from './given-index.ts'

const line = (offset: number, more = 'text/html 200', file = 'a.warc.gz') =>
  `org,example)/ 20260131120000 http://example.org/ ${more} ABC - - 100 ${offset} ${file}`

it('indexing C10 what the index has of the same record is found, whatever else its line says', async () => {
  const revisit = line(1, 'warc/revisit -')
  const cdxj =
    'org,example)/ 20260131120000 {"url":"http://example.org/","offset":"1","filename":"a.warc.gz"}'
  const full = `${line(3)} 9 4 b.warc.gz`
  const others = [line(1, 'text/html 200', 'b.warc.gz'), line(1).replace('20260131', '20260130'), line(2)]
  const index = indexOf({ all: [line(1), revisit, cdxj, full, ...others] })
  const found: string[] = []
  const batches = async function* () {
    yield `${line(1)}\n${line(3)}\n`
    yield `${line(9)}\n`
  }
  for await (const batch of withSameRecords(index, batches())) found.push(...batch.split('\n').slice(0, -1))
  expect(found.sort()).toEqual([line(1), revisit, cdxj, line(3), full, line(9)].sort())
})
