import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSchema } from '#src/app/documents/json-schema.ts'
import { decodeFields } from '#src/cli/do/read-fields.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { researchCommands } from '#src/processors/research/operator-commands.ts'
import { mutationsOf } from '../../contracts/codec-values.ts'
import { validatorOf } from '../../contracts/schema-agreement.ts'
import { runs } from '../../runs.ts'
import { intakeWorld } from './intake-world.ts'

const by = { actor: 'ada', reason: 'why not', at: '2026-01-31T12:00:00.000Z' }

type Fields = Readonly<Record<string, unknown>>
const commandNamed = (name: string) => researchCommands.find((command) => command.name === name)!
const decodeFor = (name: string, fields: Fields) => decodeFields(commandNamed(name).codec, fields)
const route = (name: string, fields: Fields) => {
  const input = decodeFor(name, fields)
  if (input._tag === 'Left') throw new Error(input.left.message)
  return commandNamed(name).route(input.right, by)
}
const refusal = (name: string, fields: Fields): string => {
  const input = decodeFor(name, fields)
  return input._tag === 'Left' ? `${input.left.message} ${input.left.hint ?? ''}` : 'taken'
}

it('X7, X15: there is a command for everything that an operator may want', () => {
  expect(researchCommands.map(({ name }) => name)).toEqual(
    [
      ...['revoke', 'prioritise', 'pin', 'unpin', 'exclude', 'include', 'pause', 'resume', 'retry', 'reopen'],
      ...['judge', 'block', 'unblock', 'set-policy', 'release-clips'],
    ].map((verb) => `research.${verb}`),
  )
})

it.each(researchCommands.map((command) => [command.name, command] as const))(
  '%s takes its example, and its schema says what it takes',
  (_, { codec, example }) => {
    expect(codec.decode(example)).toEqual({ _tag: 'Right', right: example })
    const validate = validatorOf(jsonSchema(codec))
    const fields = fc.record(
      {
        episode: fc.constant('e'),
        clip: fc.constant('c'),
        curator: fc.constant('feed'),
        lease: fc.constant('l'),
        researcher: fc.constant('r'),
        engine: fc.constant('correlator'),
        version: fc.constant('1'),
        priority: fc.constantFrom(null, 0, 1.5),
        all: fc.boolean(),
        maxClips: fc.constantFrom(0, 5, null),
        agingSeconds: fc.constantFrom(5, null),
        slip: fc.constant(1),
      },
      { requiredKeys: [] },
    )
    const inputs = fc.oneof(fields, fc.constant(example), mutationsOf(example))
    fc.assert(
      fc.property(inputs, (input) => {
        expect(validate(input), JSON.stringify([input, validate.errors])).toBe(
          codec.decode(input)._tag === 'Right',
        )
      }),
      { numRuns: runs(500) },
    )
  },
)

it.each<readonly [string, Fields, string, object]>([
  ['research.revoke', { episode: 'e', lease: 'l' }, 'episode-e', { type: 'Revoke', lease: 'l' }],
  ['research.prioritise', { episode: 'e', priority: '7' }, 'episode-e', { type: 'Prioritise', priority: 7 }],
  ['research.prioritise', { clip: 'c', priority: 'null' }, 'clip-c', { type: 'Prioritise', priority: null }],
  ['research.pin', { episode: '4611' }, 'episode-4611', { type: 'Pin' }],
  ['research.pin', { clip: 'c' }, 'clip-c', { type: 'Pin' }],
  ['research.pin', { curator: 'feed' }, 'desk-research', { type: 'PinCurator', curator: 'feed' }],
  ['research.unpin', { clip: 'c' }, 'clip-c', { type: 'Unpin' }],
  ['research.unpin', { curator: 'feed' }, 'desk-research', { type: 'UnpinCurator', curator: 'feed' }],
  ['research.exclude', { episode: 'e' }, 'episode-e', { type: 'Exclude' }],
  ['research.exclude', { curator: 'feed' }, 'desk-research', { type: 'ExcludeCurator', curator: 'feed' }],
  ['research.include', { clip: 'c' }, 'clip-c', { type: 'Include' }],
  ['research.include', { curator: 'feed' }, 'desk-research', { type: 'IncludeCurator', curator: 'feed' }],
  ['research.pause', {}, 'desk-research', { type: 'Pause' }],
  ['research.resume', {}, 'desk-research', { type: 'Resume' }],
  ['research.retry', { episode: 'e' }, 'episode-e', { type: 'Retry' }],
  ['research.retry', { clip: 'c' }, 'clip-c', { type: 'Retry' }],
  ['research.block', { researcher: 'r' }, 'researcher-r', { type: 'Block' }],
  ['research.unblock', { researcher: 'r' }, 'researcher-r', { type: 'Unblock' }],
  ['research.release-clips', {}, 'desk-research', { type: 'ReleaseWaitingClips' }],
  [
    'research.set-policy',
    { maxClips: '50', agingSeconds: 'null', batchSeconds: 0 },
    'desk-research',
    { type: 'SetPolicy', policy: { maxClips: 50, agingSeconds: null, batchSeconds: 0 } },
  ],
  ['research.reopen', { all: 'true' }, 'desk-research', { type: 'RequestReopen' }],
  ['research.reopen', { clip: 'c' }, 'desk-research', { type: 'RequestReopen', clips: ['c'] }],
  [
    'research.reopen',
    { engine: 'correlator', version: '1', clip: 'c' },
    'desk-research',
    { type: 'RequestReopen', engines: ['correlator 1'], clips: ['c'] },
  ],
  ['research.reopen', { episode: 'e' }, 'episode-e', { type: 'Reopen' }],
  [
    'research.reopen',
    { episode: 'e', clip: 'c', engine: 'correlator', version: '1', all: false },
    'episode-e',
    { type: 'Reopen', engines: ['correlator 1'], clips: ['c'] },
  ],
])('%s %j is for %s', (name, fields, stream, command) => {
  const routed = route(name, fields)
  expect(routed.stream).toBe(stream)
  expect(routed.command).toEqual({ ...command, ...by })
})

describe('refused, in words', () => {
  it.each(['research.prioritise', 'research.pin', 'research.unpin', 'research.retry'])(
    '%s of both or neither of episode and clip',
    (name) => {
      expect(refusal(name, { episode: 'e', clip: 'c', priority: 1 })).toMatch(
        /exactly one of episode, clip|no field priority/,
      )
      const priority = name === 'research.prioritise' ? { priority: 1 } : {}
      expect(refusal(name, { episode: 'e', clip: 'c', ...priority })).toContain(
        'exactly one of episode, clip',
      )
      expect(refusal(name, priority)).toContain('exactly one of episode, clip')
    },
  )

  it.each(['research.exclude', 'research.include'])('%s of none or several', (name) => {
    expect(refusal(name, {})).toContain('exactly one of episode, clip, curator')
    expect(refusal(name, { curator: 'feed', clip: 'c' })).toContain('exactly one of episode, clip, curator')
  })

  it.each<Fields>([
    {},
    { all: false },
    { all: true, clip: 'c' },
    { all: true, engine: 'correlator', version: '1' },
    { engine: 'correlator' },
    { version: '1' },
    { episode: 'e', version: '1' },
  ])('research.reopen of %j', (fields) => {
    expect(refusal('research.reopen', fields)).toContain('all: true alone for everything')
  })

  it('X14: settings that there are not, none at all, and a required one taken away', () => {
    expect(refusal('research.set-policy', { maxClip: 5 })).toMatch(/no field maxClip.*maxClips/)
    expect(refusal('research.set-policy', {})).toContain('one or more of leaseSeconds')
    expect(refusal('research.set-policy', { maxClips: null })).toContain('maxClips: wants')
    expect(refusal('research.set-policy', { leaseSeconds: 0.5 })).toContain('leaseSeconds: wants')
  })

  it.each<readonly [string, Fields, string]>([
    ['research.prioritise', { episode: 'e', priority: 1.5 }, 'priority'],
    ['research.prioritise', { episode: 'e' }, 'priority'],
    ['research.revoke', { lease: 'l' }, 'episode'],
    ['research.pin', { episode: ' e' }, 'episode'],
    ['research.exclude', { curator: '' }, 'curator'],
    ['research.block', {}, 'researcher'],
    ['research.pause', { episode: 'e' }, 'no field episode'],
  ])('%s %j names %s', (name, fields, field) => {
    expect(refusal(name, fields)).toContain(field)
  })
})

describe('what nobody knows', () => {
  it.each<readonly [string, Fields]>([
    ['research.block', { researcher: 'r' }],
    ['research.unblock', { researcher: 'r' }],
    ['research.revoke', { episode: 'e', lease: 'l' }],
    ['research.prioritise', { episode: 'e', priority: 1 }],
    ['research.pin', { clip: 'c' }],
    ['research.exclude', { clip: 'c' }],
    ['research.retry', { episode: 'e' }],
  ])('%s %j is rejected with what to do', async (name, fields) => {
    expect(await intakeWorld().run(route(name, fields))).toMatchObject({
      kind: 'rejected',
      rejection: { message: expect.stringMatching(/check/) },
    })
  })
})

it('L27: settings that do not work together are rejected, naming field and fix', async () => {
  const { run } = intakeWorld()
  expect(await run(route('research.set-policy', { itemSeconds: defaultPolicy.leaseSeconds }))).toMatchObject({
    kind: 'rejected',
    rejection: { code: 'unfit-policy', message: expect.stringContaining('itemSeconds (7200) must be below') },
  })
})
