import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { FixityCommand } from '#src/domain/fixity/commands.ts'
import { decider } from '#src/domain/fixity/decide.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { evolve, type ItemState, initial } from '#src/domain/fixity/state.ts'
import { decisionOf } from '#src/domain/kernel/decider.ts'
import { anyContent, anyIndex, anyStorage, anyWord } from './arbitraries.ts'
import { by, observe, policy, t } from './commands.ts'
import { sha256 } from './witnesses.ts'

/* Any life of an item: commands in any order, minutes apart, decided one after the other. */

/** A step takes its time, and the state for the fences and findings it may refer to. */
export type Step = (minutes: number, state: ItemState) => FixityCommand

const letters = fc.constantFrom('A', 'B')
const fences = fc.constantFrom('held', 'overtaken', 'none')

export const steps: fc.Arbitrary<Step> = fc.oneof(
  letters.map(
    (letter): Step =>
      (m) => {
        return { type: 'RecordContent', ...by(m), checksums: [sha256(letter)], recordedFrom: 'manifest' }
      },
  ),
  fc.constant<Step>((m) => ({ type: 'RemoveContent', ...by(m), policy })),
  letters.map(
    (letter): Step =>
      (m) => ({ type: 'RecordIndex', ...by(m), checksums: [sha256(letter)] }),
  ),
  fc.constant<Step>((m) => ({ type: 'RemoveIndex', ...by(m) })),
  fc.constantFrom('high', 'low').map(
    (queue): Step =>
      (m) => {
        return { type: 'RequestCheck', ...by(m), queue, reason: 'asked' }
      },
  ),
  fc.boolean().map(
    (isDeleted): Step =>
      (m) => ({ type: 'SightContent', ...by(m), isDeleted, sightedAt: t(m - 1) }),
  ),
  {
    weight: 4,
    arbitrary: fc.constant<Step>((m) => ({
      type: 'Claim',
      ...by(m),
      holder: 'w',
      deadline: t(m + 5),
      millis: 300_000,
    })),
  },
  fc.constant<Step>((m, { lastFence }) => {
    return { type: 'ExtendClaim', ...by(m), fence: lastFence, deadline: t(m + 9) }
  }),
  fc.constant<Step>((m, { lastFence }) => {
    return { type: 'ReleaseClaim', ...by(m), fence: lastFence, reason: 'stopping' }
  }),
  fc.constant<Step>((m) => ({ type: 'ExpireClaim', ...by(m) })),
  {
    weight: 8,
    arbitrary: fc.tuple(anyContent, anyStorage, anyIndex, fc.option(anyWord, { nil: undefined }), fences).map(
      ([content, storage, index, audit, fence]): Step =>
        (m, { lastFence }) => ({
          type: 'Observe',
          ...by(m),
          content,
          storage,
          index,
          audit,
          fence: fence === 'none' ? undefined : Math.max(1, fence === 'held' ? lastFence : lastFence - 1),
          observedAt: t(m),
          policy,
        }),
    ),
  },
  fc.constant<Step>((m) => ({
    type: 'CheckVersion',
    ...by(m),
    versionId: 'v1',
    seen: {
      content: { status: 'not-attempted' },
      storage: { status: 'present', checksums: [sha256('A')] },
      records: [],
    },
    observedAt: t(m),
    reason: 'asked',
  })),
  // What comes together by chance too seldom: gone but indexed, and an audit record without checksums.
  fc.constant<Step>((m) => observe('--Ax', m)),
  { weight: 2, arbitrary: fc.constant<Step>((m) => observe('nAAA', m, { audit: undefined })) },
  fc.constant<Step>((m) => observe('AA-?', m, { audit: { status: 'recorded', checksums: [] } })),
  fc.constant<Step>((m) => ({ type: 'ReviveCheck', ...by(m), reason: 'mended' })),
  fc.constant<Step>((m, { open }) => {
    const resolution = open[0]?.resolution ?? 'none'
    return { type: 'CloseResolution', ...by(m), resolution, how: 'repaired', reason: 'copied back' }
  }),
  fc.constant<Step>((m) => ({ type: 'AcceptContent', ...by(m), reason: 'as intended' })),
  fc.constant<Step>((m, { open }) => {
    const resolution = open[0]?.resolution ?? 'none'
    return { type: 'AssignResolution', ...by(m), resolution, to: 'ada@archive.example', reason: 'hers' }
  }),
)

export interface Lived {
  readonly before: ItemState
  readonly command: FixityCommand
  readonly events: readonly FixityEvent[]
  readonly state: ItemState
}

/** Minutes behind the step before, and the step. */
export type Life = [number, Step][]

/** Every step that was not refused. */
export const live = (life: Life): readonly Lived[] => {
  const lived: Lived[] = []
  let state = initial
  let minutes = 0
  for (const [wait, step] of life) {
    minutes += wait
    const command = step(minutes, state)
    const decided = decider.decide(command, state)
    if (isLeft(decided)) continue
    const { events } = decisionOf(decided.right)
    const before = state
    state = events.reduce(evolve, state)
    lived.push({ before, command, events, state })
  }
  return lived
}

/** So many steps at most, each some minutes behind the one before. */
export const lives: fc.Arbitrary<Life> = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), steps), {
  maxLength: 60,
  size: 'max',
})
