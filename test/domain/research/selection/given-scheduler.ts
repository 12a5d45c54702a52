import { expect } from 'vitest'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import { defaultPolicy, type Policy } from '#src/domain/research/policy/policy.ts'
import { createSchedulerState } from '#src/domain/research/selection/create-scheduler-state.ts'
import { at } from './log-entries.ts'

type Curation = Partial<{ priority: number; first: string; at: string; curator: string }>

/** A scheduler state, and events for it in few words. */
export const given = () => {
  const scheduler = createSchedulerState()
  const foldRaw = (stream: string, { type, data }: DomainEvent, schema = 1) =>
    scheduler.fold({
      id: 'event',
      type,
      data,
      stream,
      revision: 0n,
      position: 0n,
      recordedAt: at(0),
      metadata: { actor: 'test', causationId: 'test', correlationId: 'test', schema },
    })
  const say = (stream: string, type: string, data: object): void => {
    expect(foldRaw(stream, { type, data: { reason: 'because', at: at(0), ...data } })).toBeUndefined()
  }
  const curate = (stream: string, curation: Curation = {}): void => {
    const { priority = 0, first = at(0), at: when = at(0), curator = 'ann' } = curation
    say(stream, 'Curated', {
      title: stream,
      mediaUri: 'https://media.example/1.mp3',
      mediaType: 'audio/mpeg',
      priority,
      curator,
      firstCuratedAt: first,
      curatedAt: when,
      at: when,
    })
  }
  const result = (episode: string, clip: string, more: object = {}): void =>
    say(`episode-${episode}`, 'ClipResearched', {
      clip,
      researcher: 'r-1',
      matches: [],
      episodeDuration: 1,
      clipDuration: 1,
      engine: { name: 'correlator', version: '1', settings: '' },
      researchedAt: at(0),
      final: false,
      effect: { kind: 'none', because: 'no-lease' },
      repeat: false,
      ...more,
    })
  const grant = (
    episode: string,
    lease: string,
    clips: string[],
    deadline = at(100),
    notAfter = at(50),
  ): void =>
    say(`episode-${episode}`, 'LeaseGranted', {
      lease,
      fence: 1,
      clips,
      deadline,
      notAfter,
      leaseSeconds: 100,
      policy: 0,
    })
  const setPolicy = (policy: Partial<Policy>): void =>
    say('desk-research', 'PolicySet', { version: 3, policy: { ...defaultPolicy, ...policy } })
  scheduler.advance(at(1))
  return { scheduler, foldRaw, say, curate, result, grant, setPolicy }
}

/** Two episodes and three clips, each first curated before the one before it. */
export const with2x3 = () => {
  const all = given()
  for (const [n, id] of ['e-1', 'e-2'].entries()) all.curate(`episode-${id}`, { first: at(-n) })
  for (const [n, id] of ['c-1', 'c-2', 'c-3'].entries()) all.curate(`clip-${id}`, { first: at(-n) })
  return all
}
