import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeFields } from '#src/cli/do/read-fields.ts'
import { defaultRules } from '#src/domain/matching/merged/rules.ts'
import { generations as generationsView, graphs as graphsView } from '#src/domain/matching/views.ts'
import { matchingCommands } from '#src/processors/matching/operator-commands.ts'
import { expectAgreement } from '../../contracts/schema-agreement.ts'
import { openTestViews } from '../../fakes/views.ts'

const by = { actor: 'ada', reason: 'why not', at: '2026-01-31T12:00:00.000Z' }

const commandNamed = (name: string) => matchingCommands.find((command) => command.name === name)!
const decodeFor = (name: string, fields: Readonly<Record<string, unknown>>) =>
  decodeFields(commandNamed(name).codec, fields)
const route = (name: string, fields: Readonly<Record<string, unknown>>) => {
  const input = decodeFor(name, fields)
  if (input._tag === 'Left') throw new Error(input.left.message)
  return commandNamed(name).route(input.right, by)
}

it('every command has an example that it takes, and a schema that says what it takes', () => {
  expect(matchingCommands.map(({ name }) => name)).toEqual([
    'matching.resend',
    'matching.drop-link',
    'matching.restore-link',
    'matching.hand-over',
    'matching.confirm',
    'matching.unconfirm',
    'matching.reindex',
    'matching.switch',
    'matching.drop',
  ])
  for (const { codec, example } of matchingCommands) {
    expect(codec.decode(example)).toEqual({ _tag: 'Right', right: example })
    expectAgreement(codec, [], [example])
  }
})

it.each([
  ['matching.resend', { work: 'a' }, 'work-a', { type: 'Resend', work: 'a', ...by }],
  [
    'matching.hand-over',
    { work: 'a b', to: 'folio' },
    'work-a b',
    { type: 'HandOver', work: 'a b', to: 'folio', ...by },
  ],
  ['matching.switch', { generation: '2' }, 'generations-matching', { type: 'Switch', generation: 2, ...by }],
  ['matching.drop', { generation: 3 }, 'generations-matching', { type: 'Drop', generation: 3, ...by }],
])('%s', (name, fields, stream, command) => {
  expect(route(name, fields)).toMatchObject({ stream, command })
})

describe('matching.reindex', () => {
  const rulesOf = (fields: Readonly<Record<string, unknown>>) => route('matching.reindex', fields).command

  it('without rules goes by the default', () => {
    expect(rulesOf({})).toEqual({ type: 'Start', rules: defaultRules, ...by })
  })

  it('with some rules takes the default for the others', () => {
    const rules = { neverTarget: ['mets'], fields: { title: 'target' } }
    expect(rulesOf({ rules })).toMatchObject({ rules: { ...defaultRules, ...rules } })
    expect(rulesOf({ rules: JSON.stringify(rules) })).toMatchObject({ rules: { ...defaultRules, ...rules } })
  })

  it.each([
    ['a name with a slip', { presedence: ['tei'] }],
    ['a rule that there is not', { otherFields: 'last' }],
    ['a title that would be several', { fields: { title: 'union' } }],
  ])('%s is refused', (_, rules) => {
    expect(decodeFor('matching.reindex', { rules })).toMatchObject({
      left: { message: expect.stringMatching(/^rules/) },
    })
  })
})

describe('matching.switch', () => {
  /** Generation 2 as the views show it. */
  const objection = (
    generation: number,
    row?: { readonly status: string; readonly listedAt: string | null },
    waitingSince?: string,
    more: object = {},
  ) => {
    const viewStore = openTestViews()
    onTestFinished(() => viewStore.close())
    if (row) {
      const made = viewStore.create('matching', 1, [generationsView, graphsView])
      viewStore.promote(made)
      viewStore.fold(made, -1n, { position: 0n, time: by.at }, (tables) => {
        const blank = { rules: defaultRules, components: null, lastGraph: 1, startedAt: by.at }
        tables['matching-generations']!.put({
          generation: 2,
          switchedAt: null,
          reason: null,
          ...blank,
          ...row,
        })
        if (waitingSince)
          tables['matching-graphs']!.put({ generation: 2, graph: 1, component: 'a', waitingSince })
      })
    }
    return commandNamed('matching.switch').rejection?.({ generation, ...more })?.(viewStore)
  }
  const listedAt = '2026-01-31T12:00:00.000Z'
  const building = { status: 'building', listedAt: null }
  const ready = { status: 'ready', listedAt }

  it('to a generation that is built is not objected to, nor to one that its stream judges', () => {
    expect(objection(2, ready)).toBeUndefined()
    expect(objection(2, { status: 'live', listedAt: null })).toBeUndefined()
    expect(objection(2, { status: 'dropped', listedAt: null })).toBeUndefined()
    expect(objection(1)).toBeUndefined()
  })

  it('to one that did not get everything, or lacks documents, is; anyway=true says so', () => {
    for (const [row, since, says] of [
      [building, undefined, 'is still being built'],
      [ready, listedAt, 'are still being made'],
      [ready, '2026-01-31T12:00:00.900Z', 'are still being made'],
    ] as const) {
      expect(objection(2, row, since)).toMatchObject({
        code: 'not-built',
        message: expect.stringContaining(says),
      })
      expect(objection(2, row, since, { anyway: true })).toBeUndefined()
    }
  })

  it('that only what came in since waits for is no reason', () => {
    expect(objection(2, ready, '2026-01-31T12:30:00.000Z')).toBeUndefined()
  })

  it('that views do not show, or where there are no views, is objected to', () => {
    expect(objection(3, ready)?.message).toContain('have no generation 3')
    expect(objection(2)?.message).toContain('have no generation 2')
  })
})

it.each([
  ['matching.resend', { work: '' }],
  ['matching.resend', { work: 'a ' }],
  ['matching.hand-over', { work: 'a', to: '' }],
  ['matching.hand-over', { work: 'a', to: 'x'.repeat(201) }],
  ['matching.switch', { generation: 2, anyway: 'perhaps' }],
  ['matching.switch', { generation: 0 }],
  ['matching.drop', { generation: 'two' }],
])('%s refuses %j', (name, fields) => {
  expect(decodeFor(name, fields)._tag).toBe('Left')
})
