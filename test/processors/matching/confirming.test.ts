import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Confirmed, Resolved } from '#src/processors/matching/confirming.ts'
import { matchingCommands } from '#src/processors/matching/operator-commands.ts'
import { type Folded, folded } from '../../projections/matching/folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
  for (const [id, links] of Object.entries({ A: ['B'], B: ['C'], C: ['P'] })) all.log.say(id, { links })
  all.log.flush()
})
const by = { actor: 'ada', reason: 'right', at: '2026-01-31T12:00:00.000Z' }
const commandNamed = (name: string) => matchingCommands.find((command) => command.name === name)!

/** As it is dispatched: the stream and the command, or the code of its rejection. */
const given = (name: string, input: Confirmed) => {
  const command = commandNamed(name)
  const meant = command.resolve?.(input)?.(all.views) ?? E.right(input)
  if (E.isLeft(meant)) return meant.left.code
  const refusal = command.rejection?.(meant.right)?.(all.views)
  const { stream, command: routed } = command.route(meant.right, by)
  return refusal?.code ?? { stream, ...(routed as object) }
}
const confirm = (input: Confirmed) => given('matching.confirm', input)
const unconfirm = (input: Confirmed) => given('matching.unconfirm', input)
const seen = () => all.row('matching-graphs', { component: 'A' })?.version as number

describe('matching.confirm', () => {
  it('is about the graph of the work, by its smallest one, as it is now: also of an id that nobody describes', () => {
    const versions = [[1, seen()]]
    const expected = { stream: 'verdict-A', type: 'ConfirmGraph', work: 'A', size: 3, versions, ...by }
    for (const work of ['A', 'C', 'P']) expect(confirm({ work })).toMatchObject(expected)
    expect(confirm({ work: 'B', seen: seen() })).toMatchObject(expected)
  })

  it('names each generation in which the graph has this content', () => {
    all.log.startGeneration(2)
    all.log.list(2)
    const one = seen()
    expect(confirm({ work: 'A' })).toMatchObject({
      versions: [
        [1, one],
        [2, expect.any(Number)],
      ],
    })
    all.log.say('D', { links: ['A'] })
    all.log.flush()
    expect(confirm({ work: 'A' })).toMatchObject({ versions: [[1, expect.any(Number)]] })
    all.log.flush({ generation: 2 })
    all.log.dropGeneration(2)
    expect(confirm({ work: 'A' })).toMatchObject({ versions: [[1, expect.any(Number)]] })
  })

  it('is refused where the graph changed since it was looked at, and where nothing is known', () => {
    const before = seen()
    all.log.say('B', { links: ['C'], title: 'Botany' })
    all.log.flush()
    expect(confirm({ work: 'A', seen: before })).toBe('graph-changed')
    expect(confirm({ work: 'nix' })).toBe('unknown-work')
    all.log.say('new')
    expect(confirm({ work: 'new' })).toBe('unknown-work')
  })

  it('of a record: its corrections, as many as were looked at', () => {
    expect(confirm({ work: 'A', record: true })).toBe('not-corrected')
    all.log.say('A', { links: ['B'] }, 'WorkCorrected')
    expect(confirm({ work: 'A', record: true, seen: 1 })).toEqual({
      stream: 'verdict-A',
      type: 'ConfirmRecord',
      work: 'A',
      corrections: 1,
      ...by,
    })
    all.log.say('A', { links: ['B'], title: 'x' }, 'WorkCorrected')
    expect(confirm({ work: 'A', record: true, seen: 1 })).toBe('graph-changed')
    expect(confirm({ work: 'nix', record: true })).toBe('unknown-work')
  })
})

describe('matching.unconfirm', () => {
  it('is about the verdict on the graph of the work, or on the one that it once named', () => {
    expect(unconfirm({ work: 'C' })).toBe('not-confirmed')
    all.log.confirm('A')
    expect(unconfirm({ work: 'C' })).toMatchObject({ stream: 'verdict-A', type: 'UnconfirmGraph' })
    expect(unconfirm({ work: 'A', record: true })).toBe('not-confirmed')
    all.log.say('0', { links: ['A'] })
    all.log.flush()
    expect(unconfirm({ work: 'A' })).toMatchObject({ stream: 'verdict-A' })
    expect(unconfirm({ work: 'C' })).toBe('not-confirmed')
  })

  it('of a record', () => {
    all.log.say('A', { links: ['B'] }, 'WorkCorrected')
    all.log.confirmRecord('A', 1)
    expect(unconfirm({ work: 'A', record: true })).toMatchObject({ type: 'UnconfirmRecord', work: 'A' })
  })
})

it('what the views add is not taken from a person', () => {
  const { codec } = commandNamed('matching.confirm')
  const forged: Partial<Resolved> = { work: 'A', command: undefined as never }
  expect(codec.is(forged)).toBe(true)
  expect(confirm(forged as Confirmed)).toMatchObject({ type: 'ConfirmGraph', size: 3 })
})
