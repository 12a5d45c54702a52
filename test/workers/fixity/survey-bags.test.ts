import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asMd5, asSha256, md5, sha256, useSurvey } from './surveying.ts'

const { root, write, surveyed } = useSurvey()

const bag = (
  files: Readonly<Record<string, string>>,
  declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
) => {
  const lines = (digest: (content: string) => string, of: Readonly<Record<string, string>>) =>
    Object.entries(of)
      .map(
        ([path, content]) =>
          `${digest(content)}  ${path.replaceAll('%', '%25').replaceAll('\n', '%0A').replaceAll('\r', '%0D')}\n`,
      )
      .join('')
  const tags = {
    'bagit.txt': declaration,
    'manifest-md5.txt': lines(md5, files),
    'manifest-sha256.txt': lines(sha256, files),
  }
  return { ...files, ...tags, 'tagmanifest-sha256.txt': lines(sha256, tags) }
}
const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))

describe('survey of bags', () => {
  test('percent signs are decoded where that file is there, else they stand for themselves (F5)', async () => {
    const lines = (...paths: readonly string[]) => paths.map((path) => `${md5(path)}  ${path}\n`).join('')
    const bagOf = (version: string, manifest: string, ...files: readonly string[]) => ({
      ...Object.fromEntries(files.map((path) => [path, 'x'])),
      'bagit.txt': `BagIt-Version: ${version}\nTag-File-Character-Encoding: UTF-8\n`,
      'manifest-md5.txt': manifest,
    })
    await write({
      ...below('literal', bagOf('0.97', lines('data/50%25.txt'), 'data/50%25.txt')),
      ...below('decoded', bagOf('0.97', lines('data/50%25.txt'), 'data/50%.txt')),
      // The bare sign tells that this manifest encodes none.
      ...below(
        'both',
        bagOf('1.0', lines('data/1%25', 'data/1%', 'data/a%0Ab'), 'data/1%25', 'data/1%', 'data/a\nb'),
      ),
      ...below('old-gone', bagOf('0.97', lines('data/1%25', 'data/2'), 'data/2')),
      ...below('new-gone', bagOf('1.0', lines('data/1%25', 'data/2'), 'data/2')),
    })
    const { recorded, missing, problems } = await surveyed()
    expect(problems).toEqual([])
    expect(Object.keys(recorded).sort()).toEqual([
      'both/data/1%',
      'both/data/1%25',
      'both/data/a\nb',
      'decoded/data/50%.txt',
      'literal/data/50%25.txt',
      'new-gone/data/2',
      'old-gone/data/2',
    ])
    expect(missing.map(({ path }) => path).sort()).toEqual(['new-gone/data/1%', 'old-gone/data/1%25'])
  })

  test('a manifest whose algorithm is not known is named; its payload is no baseline without a word', async () => {
    await write({
      ...below('gost', { ...bag({}), 'data/a': 'A', 'manifest-gost.txt': 'abcd  data/a\n' }),
      ...below('only', {
        'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
        'data/a': 'A',
        'manifest-gost94.txt': 'abcd  data/a\n',
      }),
    })
    const { bags, problems } = await surveyed()
    expect(bags.map(({ isComplete }) => isComplete)).toEqual([false, false])
    expect(problems).toContain(
      'only/manifest-gost94.txt:1: the algorithm "gost94" is not known here: its digests are kept, and compared with nothing',
    )
    expect(problems.join('\n')).not.toContain('no payload manifest')
  })

  test('each file with the checksums of every manifest; the tag files by the tag manifest', async () => {
    const payload = { 'data/a.txt': 'A', 'data/deep/er/b%20\n\r%.txt': 'B' }
    const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'
    await write({ ...below('bags/one', bag(payload)), 'beside.txt': 'x' })
    const { recorded, unread, missing, problems } = await surveyed()
    expect({ missing, problems }).toEqual({ missing: [], problems: [] })
    expect(Object.keys(recorded).sort()).toEqual(
      [
        'bagit.txt',
        'data/a.txt',
        'data/deep/er/b%20\n\r%.txt',
        'manifest-md5.txt',
        'manifest-sha256.txt',
      ].map((path) => `bags/one/${path}`),
    )
    expect(unread).toEqual(['beside.txt', 'bags/one/tagmanifest-sha256.txt'])
    expect(recorded['bags/one/data/deep/er/b%20\n\r%.txt']).toEqual({
      kind: 'recorded',
      path: 'bags/one/data/deep/er/b%20\n\r%.txt',
      size: 1,
      version: expect.any(String),
      modifiedAt: expect.any(String),
      checksums: [asMd5('B'), asSha256('B')],
      recordedFrom: 'bags/one/manifest-md5.txt, bags/one/manifest-sha256.txt',
    })
    expect(recorded['bags/one/bagit.txt']?.checksums).toEqual([asSha256(declaration)])
  })

  test('a payload file that is not there is told; one to be fetched, with where from', async () => {
    await write(bag({ 'data/here': 'x', 'data/gone': 'y', 'data/far\n': 'z' }))
    for (const path of ['data/gone', 'data/far\n']) await rm(join(root(), path))
    await write({
      'fetch.txt':
        'https://example.org/far 1 data/far%0A\nnonsense\nhttps://example.org/x - data/unlisted\nfile:///x - ../out\n',
    })
    const { missing, problems, recorded } = await surveyed()
    expect(missing).toEqual(
      [
        ['data/gone', 'it is not there', 'y'],
        ['data/far\n', 'to be fetched from https://example.org/far', 'z'],
      ].map(([path, note, content = '']) => ({
        kind: 'missing',
        path,
        note,
        checksums: [asMd5(content), asSha256(content)],
        recordedFrom: 'manifest-md5.txt, manifest-sha256.txt',
      })),
    )
    expect(problems).toEqual([
      expect.stringMatching(/^fetch\.txt:2: is no line of things to fetch/),
      'fetch.txt:3: "data/unlisted" is in no manifest of the bag',
      expect.stringMatching(/^fetch\.txt:4: "..\/out" leads out/),
    ])
    expect(recorded['data/here']).toBeDefined()
  })

  test('manifests in ISO-8859-1, where the bag says so', async () => {
    const declaration = 'BagIt-Version: 0.97\r\nTag-File-Character-Encoding: ISO-8859-1\r\n'
    await write({
      'data/é': 'x',
      'bagit.txt': declaration,
      'manifest-md5.txt': Buffer.from(`${md5('x')}  data/é\r\n`, 'latin1'),
    })
    expect((await surveyed()).recorded['data/é']?.checksums).toEqual([asMd5('x')])
  })

  test('an odd bag is said to be one: no version, no manifest, no bagit.txt', async () => {
    await write({ 'a/bagit.txt': 'hello', 'b/manifest-md5.txt': `${md5('x')}  data/x\n` })
    const { problems, missing } = await surveyed()
    expect(missing).toEqual([])
    expect(problems).toEqual([
      expect.stringMatching(/^a: bagit\.txt wants two lines/),
      'a: there is no payload manifest',
      'a: there is no folder data/',
      'b/manifest-md5.txt: is not read: no bagit.txt beside it',
    ])
  })

  test('a bag in a bag: both are heard', async () => {
    const inner = bag({ 'data/x': 'X' })
    await write(bag(below('data/inner', inner)))
    const { recorded, unread, problems } = await surveyed()
    expect(problems).toEqual([])
    expect(unread).toEqual(['tagmanifest-sha256.txt'])
    expect(recorded['data/inner/data/x']).toMatchObject({
      checksums: [asMd5('X'), asSha256('X')],
      recordedFrom:
        'manifest-md5.txt, data/inner/manifest-md5.txt, manifest-sha256.txt, data/inner/manifest-sha256.txt',
    })
  })

  test('a bag in UTF-16, by its byte order mark or its name; what is none is not followed', async () => {
    const declaration = (encoding: string) => `BagIt-Version: 1.0\nTag-File-Character-Encoding: ${encoding}\n`
    const manifest = `${sha256('é')}  data/é\n`
    const littleEndian = Buffer.from(manifest, 'utf16le')
    await write({
      'one/bagit.txt': declaration('UTF-16'),
      'one/manifest-sha256.txt': Buffer.concat([
        Buffer.from([0xfe, 0xff]),
        Buffer.from(littleEndian).swap16(),
      ]),
      'one/data/é': 'é',
      'two/bagit.txt': declaration('UTF-16LE'),
      'two/manifest-sha256.txt': littleEndian,
      'two/data/é': 'é',
      'three/bagit.txt': declaration('UTF-16LE'),
      'three/manifest-sha256.txt': Buffer.from([0x00, 0xd8, 0x41, 0x00]),
      'three/data/é': 'é',
    })
    const { recorded, unread, problems } = await surveyed()
    for (const bag of ['one', 'two'])
      expect(recorded[`${bag}/data/é`]).toMatchObject({ checksums: [asSha256('é')] })
    expect(unread).toContain('three/data/é')
    expect(problems).toEqual([
      expect.stringMatching(/^three\/manifest-sha256.txt: could not be read.*not UTF-16LE text/),
      'three/data/é: is payload of a bag, and not in three/manifest-sha256.txt',
    ])
  })
})
