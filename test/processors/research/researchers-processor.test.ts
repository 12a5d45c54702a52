import { describe, expect, it } from 'vitest'
import { policyDecider } from '#src/domain/research/policy/decide.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { researchersTopic } from '#src/domain/research/researcher-messages.ts'
import { policyStream } from '#src/domain/research/terms.ts'
import { policyLookup } from '#src/processors/research/policy-lookup.ts'
import { researchersProcessor } from '#src/processors/research/researchers-processor.ts'
import { type IntakeWorld, intakeWorld, messageOn, routesOf, start } from './intake-world.ts'

const long = '2020-01-01T00:00:00.000Z'
const actor = 'https://producer.example'

const world = () => {
  const intake = intakeWorld()
  return { ...intake, processor: researchersProcessor(policyLookup(intake.states), intake.clock) }
}
const setPresence = (intake: Pick<IntakeWorld, 'give'>, presenceSeconds: number) =>
  intake.give(policyDecider, policyStream, {
    type: 'SetPolicy',
    policy: { presenceSeconds },
    actor: 'ada',
    reason: 'slow network',
    at: start,
  })
const message = (type: string, data: object = {}, id = 'm1') =>
  messageOn(researchersTopic, type, { researcher: 'listener-1', ...data }, { id, time: long })

describe('what a researcher says becomes a command on its stream', () => {
  it.each([
    [
      'researcher.registered',
      {
        type: 'Register',
        version: 'fonds 0.1.0',
        engine: { name: 'correlator', version: '1' },
        mediaTypes: ['audio/mpeg', 'audio/flac'],
        presenceSeconds: defaultPolicy.presenceSeconds,
      },
    ],
    ['researcher.beat', { type: 'Beat', presenceSeconds: defaultPolicy.presenceSeconds }],
    ['researcher.draining', { type: 'Drain' }],
    ['researcher.gone', { type: 'Leave' }],
  ])('%s, at the time of its intake (F26)', async (type, command) => {
    expect(await routesOf(world().processor, message(type, { at: long }))).toMatchObject([
      { stream: 'researcher-listener-1', command: { ...command, actor, at: start } },
    ])
  })
})

it('X14: presence is by the settings in force', async () => {
  const intake = world()
  await setPresence(intake, 60)
  await intake.take(intake.processor, message('researcher.registered'))
  await setPresence(intake, 3600)
  await intake.take(intake.processor, message('researcher.beat', {}, 'm2'))
  expect((await intake.eventsOf('researcher-listener-1')).map(({ data }) => data)).toMatchObject([
    { presentUntil: '2026-01-31T12:01:00.000Z' },
    { presentUntil: '2026-01-31T13:00:00.000Z' },
  ])
})

it('L1: a life, from its first word to its last', async () => {
  const { processor, take, clock, typesOf } = world()
  const say = (type: string, id: string) => take(processor, message(type, {}, id))
  await say('researcher.beat', 'm1')
  for (const id of ['m2', 'm3', 'm4', 'm5']) {
    await clock.advance(60_000)
    await say('researcher.beat', id)
  }
  await say('researcher.draining', 'm6')
  await say('researcher.gone', 'm7')
  await say('researcher.gone', 'm7')
  await say('researcher.registered', 'm8')
  expect(await typesOf('researcher-listener-1')).toEqual([
    'ResearcherRegistered',
    'ResearcherBeat',
    'ResearcherBeat',
    'ResearcherDraining',
    'ResearcherGone',
    'ResearcherRegistered',
  ])
})

describe('what it depends on', () => {
  it('away: the batch waits', async () => {
    const { processor, eventStore } = world()
    eventStore.goAway()
    await expect(routesOf(processor, message('researcher.beat'))).rejects.toMatchObject({
      name: 'UnavailableError',
    })
  })

  it('a policy deleted for good: the settings are those that Fonds comes with', async () => {
    const intake = world()
    await setPresence(intake, 60)
    await intake.eventStore.deleteStream(policyStream, 'any', 'tombstone')()
    expect(await routesOf(intake.processor, message('researcher.beat'))).toMatchObject([
      { command: { presenceSeconds: defaultPolicy.presenceSeconds } },
    ])
  })
})
