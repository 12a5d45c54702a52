import { expect, it } from 'vitest'
import { isUnfinished, kindOf } from '#src/domain/indexing/kind.ts'

it.each([
  ['IAH-20080430204825-00000-blackbook.warc.gz', 'content'],
  ['IAH-20080430204825-00000-blackbook.arc', 'content'],
  ['CRAWL.WARC.GZ', 'content'],
  ['17-metadata-1.warc', 'metadata'],
  ['17-metadata-12.arc.gz', 'metadata'],
  ['17-Metadata-1.WARC.GZ', 'metadata'],
  ['17-metadata-.warc', 'content'],
  ['17-metadata-1-of-2.warc', 'content'],
  ['metadata-1.warc', 'content'],
  ['crawl.log', 'unknown'],
  ['crawl.warc.gz.md5', 'unknown'],
  ['crawl.warc.zst', 'content'],
  ['crawl.warc.xz', 'unknown'],
  ['crawl.wacz', 'content'],
  ['CRAWL.WACZ', 'content'],
  ['crawl.wacz.zip', 'unknown'],
  ['warc', 'unknown'],
])('W2 %s is %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind)
})

it.each([
  ['a.warc.gz.open', true],
  ['a.warc.tmp', true],
  ['.a.warc.gz', true],
  ['a.warc.gz.part', true],
  ['open.warc', false],
  ['a.open.warc.gz', false],
])('whether somebody still writes %s under this name: %s', (name, unfinished) => {
  expect(isUnfinished(name)).toBe(unfinished)
})
