import { expect, it } from 'vitest'
import { parseSources } from '#src/workers/indexing/sources.ts'

it('sources have a repository and a place each', () => {
  expect(parseSources('main=/srv/my warcs, nas=https://host.example/files?a=b ,')).toEqual([
    { repository: 'main', location: '/srv/my warcs' },
    { repository: 'nas', location: 'https://host.example/files?a=b' },
  ])
  expect(parseSources('')).toEqual([])
})

it.each(['/srv/warcs', 'main=', 'main=srv', '=/srv', 'ma in=/srv', 'main=/srv,nas'])('%s is none', (text) => {
  expect(parseSources(text)).toBeUndefined()
})
