import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'

/* A comment names its subject first. One that begins with What, Of or Who has to be read twice. */

const root = join(import.meta.dirname, '..')
const beginning = /^\s*(?:\/\*\*|\*|\/\/|\/\*) (?:What|Of|Who|Whoever)\b/

/** Part of the text of a script, whose hash browsers compare. */
const texts = ['src/api/entry-page.ts']

describe('comments that begin with What, Of or Who', () => {
  it.each(['packages/*/src/**/*.ts', 'src/**/*.ts', 'infra/**/*.ts'])('are not in %s', (rooms) => {
    const files = globSync(rooms, { cwd: root, exclude: texts })
    expect(files.length).toBeGreaterThan(100)
    const found = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (beginning.test(line) ? [`${file}:${i + 1}`] : [])),
    )
    expect(found).toEqual([])
  })

  it.each(['/** What is kept. */', '  // Of a run', ' * Whoever reads it'])('such as %s', (line) => {
    expect(beginning.test(line)).toBe(true)
  })

  it('not: a word that begins so', () => {
    expect(beginning.test('/** Offsets of a partition. */')).toBe(false)
  })
})

/* A name has the field's word, so that a newcomer finds the thing by it. Names of stored and sent fields stay. */

const privateWord =
  /^(says|said|look|looks|looked|looking|settles?|settled|settling|tells?|teller|telling|told|gone|anew|house|hands|unfit|conversation|past)$/i

const isPrivate = (name: string): boolean => name.split(/(?=[A-Z])|_/).some((part) => privateWord.test(part))

/** Names that stay, each with its file where others must not have it, and why. */
const staying: readonly (readonly [names: RegExp, why: string])[] = [
  [/: allSettled$/, "JavaScript's."],
  [/: (look(Up|Ups|Ahead)|LookAhead(Below)?)$/, "A lookup, and reading ahead, are the field's."],
  [/: says$/, 'A field of answers, causes and findings of doctor.'],
  [
    /(dead-letters\/resolve|questions\/(period|period-question)|reference\/rejections)\.ts: settled$/,
    'A field of answers, or a code of a rejection.',
  ],
  [
    /(kernel\/notices|run-notices|settings\/list-question)\.ts: told$/,
    'A field of a stored event, or of an answer.',
  ],
  [/: (goneSince|keepsPast|lookedAt)$/, 'A field of answers.'],
  [/: (goneAt|settled(At|By|Because))$/, 'A column of a view.'],
  [
    /(matching\/.*|research\/questions\/(answers|list-columns)|stores-question)\.ts: gone$/,
    'A column of a view, or a state in an answer.',
  ],
  [/count-rows\.ts: looked$/, 'A kind of count in a stored row.'],
  [
    /: (BatchSettled|SettleBatch|isSettledApart|((Copy|Store|Researcher|Note|Declare|note|declare)Gone))$/,
    'A stored event, and its command.',
  ],
  [
    /(: isPast|passed\.ts: rowsPast|simulat[\w-]+\.ts: past(Notes|Measures)?)$/,
    "Over, as in English: a moment, a row's time, simulated leases.",
  ],
  [/(change-page|changes\/place)\.ts: anew$/, 'A field of pages of changes.'],
  [
    /(: (pastDays|pastCopies|ingestLookObjects)|(settings|demo\/research|roles|ingest\/work-area)\.ts: hands)$/,
    'A setting.',
  ],
  [/prometheus\.ts: (hands_busy|fixity_looked_since_timestamp_seconds)$/, 'A metric.'],
]

const namesIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, name } = value as { readonly type?: unknown; readonly name?: unknown }
    if ((type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string') found.add(name)
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return found
}

const privateNames = (...rooms: readonly string[]): readonly string[] =>
  globSync(rooms, { cwd: root })
    .toSorted()
    .flatMap((file) =>
      [...namesIn(readFileSync(join(root, file), 'utf8'))]
        .filter(isPrivate)
        .map((name) => `${file}: ${name}`)
        .filter((name) => !staying.some(([names]) => names.test(name))),
    )

describe('private words in names', () => {
  it('are found', () => {
    const names = namesIn('const lookAt = ({ told }: Told) => this.#gone(`${' + 'saidOf(told)}`) // looks')
    expect([...names].filter(isPrivate)).toEqual(['lookAt', 'told', 'Told', 'gone', 'saidOf'])
  })

  it.each([
    'packages/*/src/**/*.ts',
    'src/domain/kernel/**/*.ts',
    'src/ports/**/*.ts',
    'src/{processors,projections,workers}/runtime/**/*.ts',
  ])('are not in %s', (rooms) => {
    expect(privateNames(rooms)).toEqual([])
  })

  it('become fewer elsewhere', () => {
    const found = privateNames('src/**/*.ts', 'infra/**/*.ts')
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(0)
  })
})
