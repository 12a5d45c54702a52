/** The words of one part of the archive. */
export interface Section {
  readonly title: string
  readonly words: readonly (readonly [word: string, means: string])[]
}

/** Reads what `docs/words.md` holds: a table below each heading. */
export const sectionsIn = (text: string): readonly Section[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return { title, words: lines.flatMap(rowIn) }
    })
    .filter(({ words }) => words.length > 0)

const rowIn = (line: string): readonly (readonly [string, string])[] => {
  const [, word, means] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? []
  return word === undefined || means === undefined || word === 'word' ? [] : [[plain(word), plain(means)]]
}

/** Without the marks of a link, of code and of emphasis. */
const plain = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
