import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lettersOf, lost, rowsListed } from './rules.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const workflows = Object.keys(lettersOf)
const listed = new Map(
  workflows.map((workflow) => [workflow, rowsListed(read(`docs/${workflow}.md`))] as const),
)

/** It prints columns of decisions, in which rows stand between words. */
const printed = 'test/projections/fixity/questions/report-page.test.ts'

describe('the rows of rules that code and tests cite', () => {
  it('are listed, each once, in the document of their workflow', () => {
    const files = globSync(['src/**/*.ts', 'infra/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: root })
    const texts = new Map(
      files
        .filter((file) => file !== printed && !file.startsWith('test/docs/'))
        .map((file) => [file, read(file)]),
    )
    expect(texts.size).toBeGreaterThan(1000)
    expect(lost(texts, listed)).toEqual([])
    for (const [workflow, rows] of listed) {
      expect(rows).toEqual([...new Set(rows)])
      for (const letter of lettersOf[workflow] ?? '')
        expect(
          rows.filter((row) => row.startsWith(letter)),
          `${workflow} ${letter}`,
        ).not.toEqual([])
    }
  })

  it('have letters for each workflow', () => {
    expect(
      readdirSync(join(root, 'src/domain'))
        .filter((folder) => folder !== 'kernel')
        .sort(),
    ).toEqual(workflows)
  })
})

describe('a row that cannot be looked up is found', () => {
  const rows = new Map([
    ['fixity', ['F1', 'F2', 'F4']],
    ['research', ['F1', 'L1', 'L2']],
  ])
  const planted = (file: string, text: string) => lost(new Map([[file, text]]), rows)

  it.each([
    ['a comment', 'src/domain/fixity/x.ts', '/** By the table (F3). */', 'fixity F3'],
    ['a title', 'test/e2e/fixity-story.test.ts', "it('F3: it is gone', () => {", 'fixity F3'],
    ['a table of titles', 'test/domain/research/x.test.ts', "['L3, L1', 1, 2],", 'research L3'],
    ['a list', 'src/domain/research/x.ts', '// L1, L2 and L3', 'research L3'],
    ['a span', 'test/domain/fixity/x.test.ts', "it('F1 to F4', () => {", 'fixity F3'],
    ['a span with a dash', 'test/processors/research/x.test.ts', "it('L1–L3: all hold')", 'research L3'],
    ['a named one', 'bench/x.ts', '/** research L3, word by word. */', 'research L3'],
    ['one of another, named', 'src/workers/matching/x.ts', '// as fixity F3 has it', 'fixity F3'],
  ])('in %s', (_, file, text, row) => {
    const [workflow] = row.split(' ')
    expect(planted(file, text)).toEqual([`${file} cites ${row}, which docs/${workflow}.md does not list`])
  })

  it.each([
    ['without its workflow', 'src/cli/x.ts', '/** F1: all agree. */', 'F1: of which workflow?'],
    ['without its workflow, in a title', 'test/cli/x.test.ts', "it('warns (L1)')", 'L1: of which workflow?'],
    [
      'of another workflow',
      'src/domain/fixity/x.ts',
      '// L1',
      'L1, which is no row of fixity: name its workflow',
    ],
    ['of the wrong workflow', 'src/cli/x.ts', '// fixity L1', 'L1, which is no row of fixity'],
  ])('%s', (_, file, text, says) => {
    expect(planted(file, text)).toEqual([`${file} cites ${says}`])
  })

  it.each([
    ['what is listed', 'src/domain/fixity/x.ts', '/** F1, F2 and F4 */'],
    ['a named list', 'test/cli/x.test.ts', "it('research L1, L2: both')"],
    ['other names', 'src/cli/x.ts', "// MD5, MP3, LZ4, ID3, '%F3', lease=L3, X-Request"],
    ['data', 'test/cli/x.test.ts', "{ row: 'F3', lease: 'L3' }"],
  ])('and nothing is said of %s', (_, file, text) => {
    expect(planted(file, text)).toEqual([])
  })

  it('where the document lists it elsewhere than under "Rules"', () => {
    const table = '| F1 | what |\n'
    expect(
      rowsListed(
        `# X\n\n${table}\n## Rules\n\n| row | |\n|---|---|\n${table}| F2 |  |\n\n## Views\n\n| F3 | x |\n`,
      ),
    ).toEqual(['F1'])
    expect(rowsListed(`## Rules\n${table}`)).toEqual(['F1'])
  })
})
