import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { FileName, fileId, fileOf, fileStream, Location, RepositoryName } from '#src/domain/indexing/file.ts'

it('W21 a file is its name in its repository', () => {
  const file = { repository: 'main', name: 'a-1.warc.gz' }
  expect(fileId(file)).toBe('main/a-1.warc.gz')
  expect(fileOf(fileId(file))).toEqual(file)
  expect(fileStream(file)).toBe('indexing-main/a-1.warc.gz')
})

describe('what cannot be a', () => {
  it.each([
    ['name', FileName, ['', '.', '..', 'a/b', 'a\tb', 'a\nb', ' a', '\ud800', 'x'.repeat(256)]],
    ['repository', RepositoryName, ['', '-main', 'ma in', 'main/two', 'x'.repeat(65)]],
    ['location', Location, ['', 'a.warc', './a.warc', 'ftp://host/a.warc', 'http://', 'http://a b']],
  ] as const)('%s is refused', (_, codec, texts) => {
    for (const text of texts) expect(isLeft(codec.decode(text)), JSON.stringify(text)).toBe(true)
  })
})

it.each([
  [FileName, 'a.warc.gz'],
  [FileName, "o'brien%20é.warc"],
  [FileName, 'a b $(c);.warc'],
  [RepositoryName, 'nas-1.pligt'],
  [Location, '/srv/my crawls/a.warc'],
  [Location, 'file:///srv/a.warc'],
  [Location, 'https://host.example/a.warc'],
])('%o takes %s', (codec, text) => {
  expect(codec.decode(text)).toMatchObject({ _tag: 'Right', right: text })
})
