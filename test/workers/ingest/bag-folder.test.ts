import { expect, it } from 'vitest'
import { bagAmong, findBag, whyNoBag } from '#src/workers/ingest/payload/bag-folder.ts'

it.each<[string, string[], string | undefined]>([
  ['without a folder', ['bagit.txt', 'data/a'], ''],
  ['in one', ['b/bagit.txt', 'b/data/a'], 'b/'],
  ['without a folder, beside one that has another', ['b/bagit.txt', 'bagit.txt', 'data/a'], ''],
  [
    "beside what the Mac's Finder packs",
    ['b/bagit.txt', '__MACOSX/._b', '__MACOSX/b/data/._a.txt', '.DS_Store'],
    'b/',
  ],
  ['beside what Windows packs', ['Thumbs.db', 'desktop.ini', 'b/bagit.txt', '._b'], 'b/'],
  ['beside another file', ['b/bagit.txt', 'readme.txt'], undefined],
  ['beside another bag', ['b/bagit.txt', 'c/bagit.txt'], undefined],
  ['two folders deep', ['a/b/bagit.txt'], undefined],
  ['not at all', ['data/a', 'manifest-md5.txt'], undefined],
])('a bag is found %s', (_, paths, top) => {
  expect(findBag(paths)).toBe(top)
})

it('where it is not alone, the reason names what is beside it', () => {
  expect(whyNoBag(['b/bagit.txt', 'readme.txt'])).toBe(
    'the bag "b/" is not alone: beside it lies "readme.txt"; submit the bag without, or the whole with another type',
  )
  expect(whyNoBag(['b/bagit.txt', 'c/bagit.txt'])).toBe('there are 2 bags, "b/"; "c/"; submit each by itself')
  expect(whyNoBag(['data/a'])).toBeUndefined()
})

it.each([
  [['a.zip', 'b.tgz', '.DS_Store', '._a.zip'], '2 containers, "a.zip"; "b.tgz"'],
  [['given/a.zip', 'given/b.zip', '__MACOSX/given/._a.zip'], '2 containers, "given/a.zip"; "given/b.zip"'],
  [['a.zip', 'readme.txt'], 'a container, "a.zip"'],
])('X13 the containers in a folder without a bag are each a submission: %j', (paths, counted) => {
  expect(whyNoBag(paths)).toBe(
    `there is no bagit.txt, but ${counted}: a container is a submission of its own; submit each by itself`,
  )
})

it('containers below the folders of what is no bag say nothing', () => {
  expect(whyNoBag(['data/a.zip', 'manifest-md5.txt'])).toBeUndefined()
  expect(whyNoBag(['given/data/a.zip', 'given/manifest-md5.txt'])).toBeUndefined()
  expect(whyNoBag(['bagit.txt', 'a.zip'])).toBeUndefined()
})

it('its files lose its folder, and what is beside it is told', () => {
  const files = ['b/bagit.txt', '.DS_Store', 'b/data/a'].map((path) => ({ path, size: 1 }))
  expect(bagAmong(files)).toEqual({
    top: 'b/',
    files: [
      { path: 'bagit.txt', size: 1 },
      { path: 'data/a', size: 1 },
    ],
    warning: 'what lies beside the bag "b/" is not kept: ".DS_Store"',
  })
})
