import fc from 'fast-check'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { ClipEvent } from '#src/domain/research/clip/events.ts'
import type { CurationEvent } from '#src/domain/research/curating.ts'
import type { EpisodeEvent, LeaseEffect } from '#src/domain/research/episode/events.ts'
import type { PolicyEvent } from '#src/domain/research/policy/events.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import type { ResearcherEvent } from '#src/domain/research/researcher/events.ts'
import type { LogEntry } from './naive-scheduler.ts'

export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

let position = 0n
/** As the log holds it. */
export const recorded = ({ of, id, event }: LogEntry): RecordedEvent => {
  position++
  return {
    id: `event-${position}`,
    type: event.type,
    data: event.data,
    stream: `${of}-${id}`,
    revision: 0n,
    position,
    recordedAt: at(0),
    metadata: { actor: 'test', causationId: 'test', correlationId: 'test', schema: 1 },
  }
}

export const episodeIds = ['e-1', 'e-2', 'e-3', 'e-4']
export const clipIds = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6']
const episode = fc.constantFrom(...episodeIds)
const clip = fc.constantFrom(...clipIds)
const curator = fc.constantFrom('ann', 'ben')
const reason = fc.constant('because')
const time = fc.integer({ min: 0, max: 400 }).map(at)
const priority = fc.integer({ min: -1, max: 1 })
const details = { title: 'A title', mediaUri: 'https://media.example/1.mp3', mediaType: 'audio/mpeg' }

const curation: fc.Arbitrary<CurationEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ curator, priority, first: time, when: time }).map(
      ({ first, when, ...rest }): CurationEvent => ({
        type: 'Curated',
        data: { ...details, ...rest, firstCuratedAt: first, curatedAt: when, at: when },
      }),
    ),
  },
  time.map((when): CurationEvent => ({ type: 'Recurated', data: { curatedAt: when, at: when } })),
  fc.record({ curator, priority, when: time }).map(
    ({ when, ...rest }): CurationEvent => ({
      type: 'Amended',
      data: { ...details, ...rest, curatedAt: when, at: when },
    }),
  ),
  fc.record({ curator, at: time }).map((data): CurationEvent => ({ type: 'Withdrawn', data })),
  fc
    .record({ priority: fc.option(priority), reason, at: time })
    .map((data): CurationEvent => ({ type: 'Prioritised', data })),
  fc
    .tuple(
      fc.constantFrom('Pinned', 'Unpinned', 'Excluded', 'Included', 'Included' as const),
      fc.record({ reason, at: time }),
    )
    .map(([type, data]): CurationEvent => ({ type, data })),
)

/** A lease is named by its number among those granted so far. */
export interface Named {
  readonly lease: number
  readonly make: (lease: string, episode: string) => EpisodeEvent
}

const effect: fc.Arbitrary<LeaseEffect> = fc.oneof(
  time.map((deadline): LeaseEffect => ({ kind: 'extended', deadline })),
  fc.constant<LeaseEffect>({ kind: 'revoked' }),
  fc.constant<LeaseEffect>({ kind: 'none', because: 'ended' }),
)
const engine = fc.constantFrom('1', '2').map((version) => ({ name: 'correlator', version, settings: '' }))
const failing = {
  stage: fc.constant('download' as const),
  error: fc.constant('404'),
  researcher: fc.constant('r-1'),
  at: time,
}
const retry = fc.option(time, { nil: undefined }).map((retryAt) => (retryAt === undefined ? {} : { retryAt }))

const onLease: fc.Arbitrary<Named> = fc
  .record({
    lease: fc.nat(),
    deadline: time,
    when: time,
    kind: fc.nat({ max: 5 }),
    silent: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  })
  .map(({ lease, deadline, when, kind, silent }) => ({
    lease,
    make: (id): EpisodeEvent => {
      const common = { lease: id, at: when }
      const who = { ...common, researcher: 'r-1' }
      const [first, ...others]: [EpisodeEvent, ...EpisodeEvent[]] = [
        { type: 'LeaseExpired', data: { ...common, deadline, ...(silent !== undefined && { silent }) } },
        { type: 'WorkItemTaken', data: who },
        { type: 'WorkItemLapsed', data: common },
        { type: 'LeaseExtended', data: { ...who, deadline } },
        { type: 'LeaseReleased', data: { ...who, reason: 'because' } },
        { type: 'LeaseRevoked', data: { ...common, reason: 'because' } },
      ]
      return others[kind - 1] ?? first
    },
  }))

const result: fc.Arbitrary<Named> = fc
  .record({ lease: fc.nat(), clip, engine, effect, when: time, final: fc.boolean() })
  .map(({ lease, effect, when, ...rest }) => ({
    lease,
    make: (id): EpisodeEvent => ({
      type: 'ClipResearched',
      data: {
        ...rest,
        researcher: 'r-1',
        matches: [],
        episodeDuration: 1,
        clipDuration: 1,
        researchedAt: when,
        effect,
        repeat: false,
        at: when,
        lease: id,
      },
    }),
  }))

const failure: fc.Arbitrary<Named> = fc
  .record({
    lease: fc.nat(),
    subject: fc.constantFrom('episode', 'pair', 'clip'),
    clip,
    effect,
    retry,
    ...failing,
  })
  .map(({ lease, subject, clip, retry, ...rest }) => ({
    lease,
    make: (id): EpisodeEvent => ({
      type: 'ResearchFailed',
      data: {
        ...rest,
        ...(subject !== 'clip' && { attempt: 1, ...retry }),
        ...(subject !== 'episode' && { clip }),
        subject: subject as 'episode' | 'pair' | 'clip',
        lease: id,
      },
    }),
  }))

const about = fc.oneof(
  { weight: 4, arbitrary: curation },
  fc.record({ reason, at: time }).map((data): EpisodeEvent & ClipEvent => ({ type: 'Retried', data })),
)

const reopened = fc
  .record(
    {
      reason,
      at: time,
      engines: fc.array(fc.constantFrom('correlator 1', 'correlator 2'), { minLength: 1, maxLength: 1 }),
      clips: fc.uniqueArray(clip, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['reason', 'at'] },
  )
  .map((data): EpisodeEvent => ({ type: 'Reopened', data }))

const clipFailed = fc
  .record({ episode, retry, ...failing })
  .map(({ retry, ...rest }): ClipEvent => ({ type: 'ClipFailed', data: { ...rest, ...retry, attempt: 1 } }))

const researcher: fc.Arbitrary<ResearcherEvent> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('ResearcherRegistered' as const, 'ResearcherBeat' as const),
      fc.record({ presentUntil: time, at: time }),
    )
    .map(([type, data]): ResearcherEvent => ({ type, data })),
  time.map((when): ResearcherEvent => ({ type: 'ResearcherDraining', data: { at: when } })),
  time.map((when): ResearcherEvent => ({ type: 'ResearcherGone', data: { because: 'left', at: when } })),
  fc
    .tuple(fc.constantFrom('ResearcherBlocked' as const, 'ResearcherUnblocked' as const), time)
    .map(([type, when]): ResearcherEvent => ({ type, data: { reason: 'because', at: when } })),
)

const policy = fc
  .record({
    maxClips: fc.integer({ min: 1, max: 4 }),
    attempts: fc.integer({ min: 1, max: 6 }),
    batchClips: fc.integer({ min: 1, max: 4 }),
    batchSeconds: fc.integer({ min: 0, max: 100 }),
    aging: fc.option(fc.integer({ min: 1, max: 300 })),
  })
  .map(({ aging, ...rest }) => ({
    ...defaultPolicy,
    ...rest,
    ...(aging !== null && { agingSeconds: aging }),
  }))

const policyEvent: fc.Arbitrary<PolicyEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(policy, time).map(
      ([policy, when]): PolicyEvent => ({
        type: 'PolicySet',
        data: { version: 1, policy, reason: 'because', at: when },
      }),
    ),
  },
  fc
    .tuple(
      fc.constantFrom('CuratorPinned', 'CuratorUnpinned', 'CuratorExcluded', 'CuratorIncluded' as const),
      curator,
      time,
    )
    .map(([type, curator, when]): PolicyEvent => ({ type, data: { curator, reason: 'because', at: when } })),
  fc
    .tuple(
      fc.constantFrom(
        'WaitingClipsReleased',
        'AssigningPaused',
        'AssigningResumed',
        'ReopenRequested' as const,
      ),
      time,
    )
    .map(([type, when]): PolicyEvent => ({ type, data: { reason: 'because', at: when } })),
)

export type Step =
  | { readonly do: 'fold'; readonly told: LogEntry }
  | {
      readonly do: 'grant'
      readonly episode: string
      readonly clips: readonly string[]
      readonly deadline: string
      readonly notAfter: string
    }
  | { readonly do: 'lease'; readonly named: Named; readonly episode: string }
  | { readonly do: 'hold'; readonly deadline: string; readonly notAfter: string }
  | { readonly do: 'confirm' | 'unhold' }
  | { readonly do: 'advance'; readonly to: string }
  | { readonly do: 'snapshot' }

const folds = (told: LogEntry): Step => ({ do: 'fold', told })

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(episode, about).map(([id, event]) => folds({ of: 'episode', id, event })),
  },
  { weight: 5, arbitrary: fc.tuple(clip, about).map(([id, event]) => folds({ of: 'clip', id, event })) },
  fc.tuple(episode, reopened).map(([id, event]) => folds({ of: 'episode', id, event })),
  fc.tuple(clip, clipFailed).map(([id, event]) => folds({ of: 'clip', id, event })),
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('r-1', 'r-2'), researcher)
      .map(([id, event]) => folds({ of: 'researcher', id, event })),
  },
  { weight: 2, arbitrary: policyEvent.map((event) => folds({ of: 'desk', id: 'research', event })) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        episode,
        clips: fc.uniqueArray(clip, { minLength: 1, maxLength: 4 }),
        deadline: time,
        notAfter: time,
      })
      .map((terms): Step => ({ do: 'grant', ...terms })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.oneof(onLease, { weight: 2, arbitrary: result }, failure), episode)
      .map(([named, episode]): Step => ({ do: 'lease', named, episode })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ deadline: time, notAfter: time }).map((terms): Step => ({ do: 'hold', ...terms })),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'confirm' }, { do: 'unhold' }) },
  { weight: 2, arbitrary: time.map((to): Step => ({ do: 'advance', to })) },
  fc.constant<Step>({ do: 'snapshot' }),
)
