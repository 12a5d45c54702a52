import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameOf, wordsOf } from '#src/domain/kernel/words.ts'
import { runs } from '../../runs.ts'

test.each([
  ['Herbal, second part', ['herbal', 'second', 'part']],
  ['Gärten um Müllheim', ['garten', 'um', 'mullheim']],
  ['the The THE', ['the']],
  ['ﬁle № 12', ['file', 'no', '12']],
  ['Ада Брандт 1912', ['ада', 'брандт', '1912']],
  ['— … !', []],
  ['', []],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test.each([
  ['letters/1912/03.TIF', '03.tif'],
  ['03.tif', '03.tif'],
  ['letters/', ''],
  ['Ärger/Öl und Wein.pdf', 'ol und wein.pdf'],
])('the file name of %j', (path, name) => {
  expect(fileNameOf(path)).toBe(name)
})

test('words of any text are well-formed, few and short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const words = [...wordsOf(text), fileNameOf(text)]
      expect(words.length).toBeLessThanOrEqual(41)
      for (const word of words) {
        expect(word.length).toBeLessThanOrEqual(64)
        expect(word.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: runs(200) },
  )
})
