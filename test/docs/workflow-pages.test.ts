import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settings } from '#src/app/config/settings.ts'
import { attemptsInRun, deferralsInRun } from '#src/domain/fixity/schedule.ts'
import { defaultAwaySeconds, defaultPolicy as fixityPolicy } from '#src/domain/fixity/store/events.ts'
import { fileStates } from '#src/domain/indexing/file-states.ts'
import { SubmissionType } from '#src/domain/ingest/payload.ts'
import { batchMoves, jobMoves, type Move, workStates } from '#src/domain/ingest/transitions.ts'
import { variableOf } from '#src/domain/kernel/setting.ts'
import { FieldRule } from '#src/domain/matching/merged/rules.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { ruleNames } from '#src/projections/ingest/questions/audit.ts'
import { workflows } from '#src/workflows/all.ts'

/* The page of a workflow names what the workflow declares, each in its section, and nothing that it does not. */

const root = join(import.meta.dirname, '../..')
const page = (name: string) => readFileSync(join(root, `docs/${name}.md`), 'utf8')

/** Text of a section of the page. */
const section = (text: string, heading: string): string =>
  new RegExp(`^## ${heading}\\n(.*?)(?=^## |$(?![\\s\\S]))`, 'ms').exec(text)?.[1] ?? ''

/** Words in code quotes, each once. */
const quoted = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)),
]

const documented = workflows.filter(({ name }) => name !== 'house' && name !== 'settings')

describe.each(documented.map((workflow) => [workflow.name, workflow] as const))(
  'docs/%s.md',
  (name, workflow) => {
    const text = page(name)

    it('lists the topics with their messages', () => {
      const words = quoted(section(text, 'Topics'))
      const topics = workflow.topics.map((topic) => topic.name)
      expect(words.filter((word) => word.startsWith('fonds.')).sort()).toEqual(topics.sort())
      const types = workflow.topics.flatMap(({ messages }) => messages.map(({ type }) => type))
      expect(words).toEqual(expect.arrayContaining(types))
      expect(types).toEqual(expect.arrayContaining(words.filter((word) => /^[a-z]+\.[a-z]+$/.test(word))))
    })

    it('lists the event types', () => {
      const words = quoted(section(text, 'Events')).filter((word) => /^[A-Z][a-z]+[A-Za-z]*$/.test(word))
      const types = new Set(workflow.eventSets.flatMap(({ events }) => events.types))
      expect(words.sort()).toEqual([...types].sort())
    })

    it('lists the views', () => {
      const words = quoted(section(text, 'Views')).filter((word) => word.startsWith(`${name}-`))
      const views = workflow.projections.flatMap((projection) => projection.views.map((view) => view.name))
      expect(words.sort()).toEqual(views.sort())
    })

    it('lists the commands', () => {
      const words = quoted(section(text, 'Commands')).flatMap(
        (word) => new RegExp(`^${name}\\.[a-z-]+`).exec(word) ?? [],
      )
      expect([...new Set(words)].sort()).toEqual(workflow.commands.map((command) => command.name).sort())
    })
  },
)

/** Rows of the tables of a section, cell by cell, without heads. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(/ \| /).map((cell) => cell.trim()))
    .filter(([first]) => first !== undefined && !/^-+$/.test(first))

describe('tables that say again what the code declares', () => {
  it('questions of each workflow are on its page', () => {
    const missing = documented.flatMap(({ name, questions }) =>
      Object.keys(questions)
        .filter((question) => !asks(page(name), name, question))
        .map((question) => `${name} ${question}`),
    )
    expect(missing).toEqual([])
  })

  it('moves of batches and jobs have the rows and the states of the table that decides', () => {
    const rows = rowsOf(section(page('ingest'), 'Rules'))
    const [batches, jobs] = ['batch', 'job'].map((of) => documentedMoves(rows, of === 'batch'))
    const decided = (moves: readonly Move<string>[]) =>
      new Set(moves.map(({ row, from, to }) => `${row} ${from} → ${to}`))
    const withBatch = /^I1[56] (?!.* → completed).* → deleted$/
    expect(sorted(batches!)).toEqual(sorted(decided(batchMoves)))
    expect(sorted(jobs!)).toEqual(sorted([...decided(jobMoves)].filter((move) => !withBatch.test(move))))
  })

  it('rules of the audit of ingest', () => {
    const text = section(page('ingest'), 'Questions')
    const table = rowsOf(text.slice(text.indexOf('| rule | finds |'))).slice(1)
    expect(table.flatMap(([names = '']) => quoted(names)).sort()).toEqual([...ruleNames].sort())
  })

  it('types of payloads', () => {
    const rows = rowsOf(section(page('ingest'), 'Submitting'))
    const types = rows.slice(1, 1 + Object.keys(SubmissionType.keys).length)
    expect(types.map(([type = '']) => quoted(type)[0]).sort()).toEqual(
      Object.keys(SubmissionType.keys).sort(),
    )
  })

  it('states of archive files, as on the page', () => {
    const rows = rowsOf(section(page('indexing'), 'Views')).slice(1)
    const states = Object.fromEntries(rows.map(([state = '', means]) => [quoted(state)[0], means]))
    expect(states).toEqual(fileStates)
    const shown = readFileSync(join(root, 'dashboard/src/pages/indexing/file-state.tsx'), 'utf8')
    for (const means of Object.values(fileStates)) expect(shown).toContain(`'${means}'`)
  })

  it('rules by which fields are merged', () => {
    const rows = rowsOf(section(page('matching'), 'How a component becomes one work'))
    expect(
      rows
        .slice(1)
        .map(([rule = '']) => quoted(rule)[0])
        .sort(),
    ).toEqual(Object.keys(FieldRule.keys).sort())
  })

  it('settings of research, with their defaults', () => {
    const rows = rowsOf(section(page('research'), 'Settings')).slice(1)
    const shown = rows.flatMap(([names = '', values = '']) => {
      const defaults = values.split(', ')
      return quoted(names).map((name, i) => [name, defaults[i]] as const)
    })
    const { agingSeconds, longestLeaseSeconds, ...always } = { ...none, ...defaultPolicy }
    const expected = { ...always, agingSeconds, longestLeaseSeconds }
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, `${value ?? 'none'}`])),
    )
  })

  it.each([
    ['settings', 40],
    ['servers', 8],
    ['storage', 8],
  ])('settings in docs/guides/%s.md, with their defaults', (guide, least) => {
    const [first = ''] = page(`guides/${guide}`).split(/^##+ /m)
    const rows = rowsOf(first).slice(1)
    expect(rows.length).toBeGreaterThan(least)
    const differ = rows.flatMap(([names = '', values = '']) => {
      const defaults = values.split(', ')
      return quoted(names).flatMap((name, i) => {
        const shown = (defaults[i] ?? defaults[0]!).replaceAll('`', '')
        return isDefault(name, shown) ? [] : [`${name}: ${shown}`]
      })
    })
    expect(differ).toEqual([])
  })

  it('events of ingest, by stream', () => {
    const rows = rowsOf(section(page('ingest'), 'Events')).slice(1)
    const claims = ['StepClaimed', 'ClaimExtended', 'ClaimReleased', 'ClaimExpired']
    const shown = rows.map(([stream = '', , events = '']) => {
      const types = quoted(events).filter((word) => /^[A-Z]/.test(word))
      return [/`(\w+)-/.exec(stream)?.[1], [...types, ...(events.endsWith('claims') ? claims : [])].sort()]
    })
    const sets = documented.find(({ name }) => name === 'ingest')!.eventSets
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(sets.map(({ category, events }) => [category, [...events.types].sort()])),
    )
  })

  it('numbers of fixity', () => {
    const text = page('fixity')
    const words = ['', '', '', 'three']
    expect(text).toContain(`A run has ${words[attemptsInRun]} attempts.`)
    expect(text).toContain(`uses up no attempt, ${deferralsInRun} times in a run.`)
    expect(text).toContain(`\`lagSeconds\` (${fixityPolicy.lagSeconds};`)
    expect(text).toContain(`\`awaySeconds\` (${defaultAwaySeconds},`)
  })
})

/** True if a page has a question as the command line names it, with the workflow's name or without. */
const asks = (text: string, workflow: string, question: string): boolean =>
  new RegExp(`(\`|fonds ${workflow} )${question}(?![\\w-])`).test(text)

const sorted = (some: Iterable<string>) => [...some].sort()
const none = { agingSeconds: undefined, longestLeaseSeconds: undefined }

/** Names of a default in words. */
const inWords = /^(none|any|for ever|any; public addresses alone.*)$/

const isDefault = (variable: string, shown: string): boolean => {
  const [, setting] = Object.entries(settings).find(([key]) => variableOf(key) === variable) ?? []
  if (setting === undefined) return false
  const { default: given } = setting
  const value = typeof given === 'function' ? given('<home>') : given
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? inWords.test(shown)
    : shown === `${value}`
}

/** I29 is written as N3, N8 as the moves to deleted, N14 as the failure of the step. */
const decidedElsewhere = ['I29', 'N8', 'N14']

/** Moves that the rows of the document name: `I31 recording → notify`. */
const documentedMoves = (rows: readonly (readonly string[])[], ofBatches: boolean): ReadonlySet<string> => {
  const first = rows.findIndex(([row]) => row === 'I17')
  const last = rows.findIndex(([row]) => row === 'C1')
  const named = rows.slice(0, last).filter(([row = '', moves = '']) => {
    const isBatch = moves.endsWith('(batch)') || rows.findIndex(([id]) => id === row) < first
    return (
      isBatch === ofBatches && moves.includes('→') && /^[IN]\d/.test(row) && !decidedElsewhere.includes(row)
    )
  })
  return new Set(
    named.flatMap(([row, moves = '']) => {
      const isBoth = moves.includes(', and back')
      const steps = moves.replace(', and back', '').replace(' (batch)', '').split(' → ')
      return steps
        .slice(1)
        .flatMap((to, i) =>
          statesIn(steps[i]!).flatMap((from) => [
            `${row} ${from} → ${to}`,
            ...(isBoth ? [`${row} ${to} → ${from}`] : []),
          ]),
        )
    }),
  )
}

const statesIn = (from: string): readonly string[] => (from === 'any step' ? workStates : from.split(', '))
