import { describe, expect, it } from 'vitest'
import { generationsDecider } from '#src/domain/matching/generations/decide.ts'
import type { GenerationEvent } from '#src/domain/matching/generations/events.ts'
import { defaultRules } from '#src/domain/matching/merged/rules.ts'
import { specify } from '../../../given.ts'

const given = specify(generationsDecider)
const at = '2026-01-31T12:00:00.000Z'
const by = { actor: 'ada', at, reason: 'other rules' }
const rules = { ...defaultRules, neverTarget: ['mets'] }

const start = { type: 'Start', rules, ...by } as const
const switchTo = (generation: number) => ({ type: 'Switch', generation, ...by }) as const
const drop = (generation: number) => ({ type: 'Drop', generation, ...by }) as const

const started = (generation: number): GenerationEvent => ({
  type: 'GenerationStarted',
  data: { generation, rules, reason: 'other rules', at },
})
const switched = (from: number, generation: number): GenerationEvent => ({
  type: 'GenerationSwitched',
  data: { generation, from, reason: 'other rules', at },
})
const dropped = (generation: number): GenerationEvent => ({
  type: 'GenerationDropped',
  data: { generation, reason: 'other rules', at },
})
const says = (
  history: readonly GenerationEvent[],
  command: Parameters<typeof generationsDecider.decide>[0],
) => JSON.stringify(given(...history).when(command).result)

describe('starting a generation', () => {
  it('gives it the next number and its rules', () => {
    given()
      .when(start)
      .gives([started(2)])
    given(started(2))
      .when(start)
      .gives([started(3)])
    expect(given(started(2)).state.active.get(2)).toEqual(rules)
  })

  it('numbers are not used again', () => {
    given(started(2), dropped(2))
      .when(start)
      .gives([started(3)])
  })

  it('there are at most five at once', () => {
    const five = [2, 3, 4, 5].map(started)
    given(...five)
      .when(start)
      .gives('too-many')
    expect(says(five, start)).toContain('1, 2, 3, 4, 5); drop one')
    given(...five, dropped(3))
      .when(start)
      .gives([started(6)])
  })
})

describe('switching', () => {
  it('gives readers the other one, and back', () => {
    given(started(2))
      .when(switchTo(2))
      .gives([switched(1, 2)])
    given(started(2), switched(1, 2))
      .when(switchTo(1))
      .gives([switched(2, 1)])
  })

  it('to the live one is refused', () => {
    given().when(switchTo(1)).gives('live')
    given(started(2), switched(1, 2)).when(switchTo(2)).gives('live')
  })

  it('to one that never was, or is no more, is refused and says which there are', () => {
    given().when(switchTo(2)).gives('unknown-generation')
    given(started(2), dropped(2)).when(switchTo(2)).gives('dropped')
    expect(says([], switchTo(9))).toContain('there is no generation 9; there is 1')
    expect(says([started(2)], switchTo(9))).toContain('there is no generation 9; there are 1, 2')
  })
})

describe('dropping', () => {
  it('ends one that readers do not get', () => {
    given(started(2))
      .when(drop(2))
      .gives([dropped(2)])
    given(started(2), switched(1, 2))
      .when(drop(1))
      .gives([dropped(1)])
  })

  it('the live one is refused and says what to do first', () => {
    given(started(2)).when(drop(1)).gives('live')
    expect(says([], drop(1))).toContain('switch to another one')
  })

  it('one that never was, or is no more, is refused', () => {
    given().when(drop(2)).gives('unknown-generation')
    given(started(2), dropped(2)).when(drop(2)).gives('dropped')
  })
})
