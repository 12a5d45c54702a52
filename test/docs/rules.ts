/**
 * The rows of rules that each workflow cites, by their letters. `docs/<workflow>.md` lists them, in its section "Rules".
 * A workflow that cites no rows yet has no letters.
 */
export const lettersOf: Readonly<Record<string, string>> = {
  chain: '',
  fixity: 'F',
  indexing: 'WC',
  ingest: 'CINX',
  matching: 'M',
  research: 'DFLX',
}

const workflows = Object.keys(lettersOf)
const letters = Object.values(lettersOf).join('')

/** A letter and a number that stand alone: not `MD5`, `%C3`, `lease=L9`, nor a name in code such as `'F2'` or `L0.`. */
const row = `(?<![\\w%.#=$/^-])[${letters}]\\d{1,2}(?![\\w-])`
const span = `${row}(?:(?: to |–| … )${row})?`
const citation = new RegExp(`(?:\\b(${workflows.join('|')}) )?(${span}(?:(?:, | and )${span})*)`, 'g')

/** A text that is a row and nothing else is data: an id in a test, or a column of a decision. */
const isData = (before: string, cited: string, after: string): boolean =>
  /^[A-Z]\d+$/.test(cited) && /^['"`]$/.test(before) && after === before

/** `L1 to L9` is nine rows. */
const rowsIn = (cited: string): readonly string[] =>
  [...cited.matchAll(/([A-Z])(\d+)(?:(?: to |–| … )\1(\d+))?/g)].flatMap(([, letter, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => `${letter}${Number(first) + i}`),
  )

/** The workflow that a file or its folder is named after. */
const ownerOf = (file: string): string | undefined =>
  workflows.find((workflow) => file.split(/[/.-]/).includes(workflow))

/** Each row that a file cites, with its workflow: the one it names, else the one that the file belongs to. */
const citationsIn = (file: string, text: string) =>
  [...text.matchAll(citation)]
    .filter((match) => {
      const [whole, , cited = ''] = match
      return !isData(text.charAt(match.index - 1), cited, text.charAt(match.index + whole.length))
    })
    .flatMap(([, named, cited = '']) =>
      rowsIn(cited).map((id) => ({ id, workflow: named ?? ownerOf(file), named: named !== undefined })),
    )

/** The rows in the table of the section "Rules" of a document. */
export const rowsListed = (document: string): readonly string[] => {
  const section = /^## Rules\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(document)?.[1] ?? ''
  return [...section.matchAll(/^\| ([A-Z]\d{1,2}) \| .*\S.* \|$/gm)].map(([, id = '']) => id)
}

/** What cannot be looked up, one sentence each. `listed`: the rows in the document of each workflow. */
export const lost = (
  files: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, readonly string[]>,
): readonly string[] => [
  ...new Set(
    [...files].flatMap(([file, text]) =>
      citationsIn(file, text).flatMap(({ id, workflow, named }) => {
        if (workflow === undefined) return [`${file} cites ${id}: of which workflow?`]
        if (!lettersOf[workflow]?.includes(id.charAt(0)))
          return [`${file} cites ${id}, which is no row of ${workflow}${named ? '' : ': name its workflow'}`]
        return listed.get(workflow)?.includes(id) === false
          ? [`${file} cites ${workflow} ${id}, which docs/${workflow}.md does not list`]
          : []
      }),
    ),
  ),
]
