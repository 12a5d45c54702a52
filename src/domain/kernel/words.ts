/* Words that texts are found by, whatever the case and the accents: `Müller` is found by `mull`. */

/** Words of a text that are indexed, and letters of each. */
const maxWords = 40
const maxLetters = 64

const plain = /^[\x20-\x7e]*$/

const folded = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replaceAll(/\p{M}+/gu, '')
        .toLowerCase()

/** The words of a text, each once, in their order. */
export const wordsOf = (text: string): readonly string[] => {
  const found = folded(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(found.slice(0, maxWords).map((word) => cut(word)))]
}

/** The last part of a path, by the same rules: the name of a file. */
export const fileNameOf = (path: string): string => cut(folded(path.slice(path.lastIndexOf('/') + 1)))

/** Never between the two halves of a character. */
const cut = (word: string): string =>
  word.length <= maxLetters ? word : word.slice(0, maxLetters).replace(/[\ud800-\udbff]$/, '')
