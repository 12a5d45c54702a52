import { expect, test } from 'vitest'
import { parseDeclaration } from '../../src/bagit/declaration.ts'

const read = (text: string) => {
  const problems: string[] = []
  return { ...parseDeclaration(Buffer.from(text), (problem) => problems.push(problem)), problems }
}
const of = (encoding: string, version = '1.0') =>
  read(`BagIt-Version: ${version}\r\nTag-File-Character-Encoding: ${encoding}\r\n`)

test.each(['UTF-8', 'ISO-8859-1', 'UTF-16', 'windows-1252'])('the encoding %s is taken', (encoding) => {
  expect(of(encoding)).toEqual({ encoding, isOld: false, problems: [] })
})

test('an encoding that nobody knows is told, and UTF-8 is taken', () => {
  expect(of('klingon')).toMatchObject({
    encoding: 'utf-8',
    problems: [expect.stringMatching(/klingon.*UTF-8 is taken/)],
  })
})

test('a version before 1.0 is old; one after it is not known', () => {
  expect(of('UTF-8', '0.96')).toMatchObject({ isOld: true, problems: [] })
  expect(of('UTF-8', '1.1')).toMatchObject({ problems: [expect.stringContaining('names version 1.1')] })
})

test.each([
  '',
  'hello',
  'BagIt-Version: 1.0\n',
  'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\nmore\n',
])('%j is no declaration', (text) =>
  expect(read(text).problems).toEqual([expect.stringContaining('wants two lines')]),
)
