import type { Curate } from '#src/domain/research/curation-commands.ts'
import type {
  Extend,
  Fail,
  Grant,
  NotePassed,
  Release,
  Reopen,
  Report,
  Revoke,
  Take,
} from '#src/domain/research/episode/commands.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { EpisodeEvent, LeaseEffect } from '#src/domain/research/episode/events.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { specify } from '../../../given.ts'

/* Commands and events of one episode, as tests want them. Leases last an hour, items half of one; times are minutes. */

export const given = specify(episodeDecider)

export const t = (minutes: number): string => new Date(Date.UTC(2026, 0, 31, 12, minutes)).toISOString()
export const by = (minutes: number) => ({ actor: 'ada', at: t(minutes) })
export const reason = 'because'

export const policy = { ...defaultPolicy, leaseSeconds: 3600, itemSeconds: 1800, version: 3 }
export const engine = { name: 'correlator', version: '1', settings: 'rate=8000' }

const details = {
  title: 'Episode 4611',
  mediaUri: 'https://media.example/4611.mp3',
  mediaType: 'audio/mpeg',
  curator: 'podcast-feed',
}

export const curate = (minutes: number, more: Partial<Curate['details']> = {}): Curate => ({
  type: 'Curate',
  ...by(minutes),
  details: { ...details, ...more },
  curatedAt: t(minutes),
})

export const curated: EpisodeEvent = {
  type: 'Curated',
  data: { ...details, priority: 0, firstCuratedAt: t(-60), curatedAt: t(-60), at: t(-60) },
}

export const grant = (
  minutes: number,
  leases: Readonly<Record<string, readonly string[]>>,
  more: Partial<Grant['policy']> = {},
): Grant => ({
  type: 'Grant',
  ...by(minutes),
  policy: { ...policy, ...more },
  leases: Object.entries(leases).map(([lease, clips]) => ({ lease, clips })),
})

export const granted = (
  minutes: number,
  lease: string,
  clips: string[],
  more: { fence?: number; endsBy?: string } = {},
): EpisodeEvent => ({
  type: 'LeaseGranted',
  data: {
    lease,
    fence: 1,
    clips,
    deadline: t(minutes + 60),
    notAfter: t(minutes + 30),
    leaseSeconds: 3600,
    policy: 3,
    at: t(minutes),
    ...more,
  },
})

export const take = (minutes: number, lease: string, researcher = 'r1'): Take => ({
  type: 'Take',
  ...by(minutes),
  lease,
  researcher,
})

export const taken = (minutes: number, lease: string, researcher = 'r1'): EpisodeEvent => ({
  type: 'WorkItemTaken',
  data: { lease, researcher, at: t(minutes) },
})

const nanoseconds = { episodeDuration: 5_400_000_000_000, clipDuration: 3_000_000_000 }

export const report = (
  minutes: number,
  clip: string,
  lease?: string,
  more: Partial<Report['result']> = {},
): Report => ({
  type: 'Report',
  ...by(minutes),
  result: {
    clip,
    researcher: 'r1',
    matches: [],
    ...nanoseconds,
    engine,
    researchedAt: t(minutes),
    ...(lease !== undefined && { lease }),
    ...more,
  },
})

export type ResearchedData = Extract<EpisodeEvent, { type: 'ClipResearched' }>['data']

export const researched = (
  minutes: number,
  clip: string,
  effect: LeaseEffect,
  more: Partial<ResearchedData> = {},
): EpisodeEvent => ({
  type: 'ClipResearched',
  data: {
    clip,
    researcher: 'r1',
    matches: [],
    ...nanoseconds,
    engine,
    researchedAt: t(minutes),
    final: false,
    effect,
    repeat: false,
    at: t(minutes),
    ...more,
  },
})

export const extendedTo = (minutes: number): LeaseEffect => ({ kind: 'extended', deadline: t(minutes) })
export const revokedEffect: LeaseEffect = { kind: 'revoked' }
export const none = (because: Extract<LeaseEffect, { kind: 'none' }>['because']): LeaseEffect => ({
  kind: 'none',
  because,
})

export const fail = (
  minutes: number,
  subject: Fail['failure']['subject'],
  more: Partial<Fail['failure']> = {},
): Fail => ({
  type: 'Fail',
  ...by(minutes),
  failure: {
    researcher: 'r1',
    subject,
    stage: subject === 'pair' ? 'search' : 'download',
    error: '404',
    failedAt: t(minutes),
    ...(subject !== 'episode' && { clip: 'a' }),
    ...more,
  },
  policy: { attempts: 3, backoffSeconds: 300 },
})

export type FailedData = Extract<EpisodeEvent, { type: 'ResearchFailed' }>['data']

export const failed = (
  minutes: number,
  subject: FailedData['subject'],
  effect: LeaseEffect,
  more: Partial<FailedData> = {},
): EpisodeEvent => ({
  type: 'ResearchFailed',
  data: {
    subject,
    stage: subject === 'pair' ? 'search' : 'download',
    error: '404',
    researcher: 'r1',
    effect,
    at: t(minutes),
    ...(subject !== 'episode' && { clip: 'a' }),
    ...more,
  },
})

export const extend = (minutes: number, lease: string, researcher = 'r1'): Extend => ({
  type: 'Extend',
  ...by(minutes),
  lease,
  researcher,
})

export const extended = (minutes: number, lease: string, deadline: number): EpisodeEvent => ({
  type: 'LeaseExtended',
  data: { lease, researcher: 'r1', deadline: t(deadline), at: t(minutes) },
})

export const release = (minutes: number, lease: string, researcher = 'r1'): Release => ({
  type: 'Release',
  ...by(minutes),
  lease,
  researcher,
  reason,
})

export const released = (minutes: number, lease: string): EpisodeEvent => ({
  type: 'LeaseReleased',
  data: { lease, researcher: 'r1', reason, at: t(minutes) },
})

export const revoke = (minutes: number, lease: string): Revoke => ({
  type: 'Revoke',
  ...by(minutes),
  lease,
  reason,
})

export const revoked = (minutes: number, lease: string): EpisodeEvent => ({
  type: 'LeaseRevoked',
  data: { lease, reason, at: t(minutes) },
})

export const notePassed = (minutes: number, type: NotePassed['type'], lease: string): NotePassed => ({
  type,
  ...by(minutes),
  lease,
})

/** `silent`: so many in a row of which nothing was heard. */
export const expired = (minutes: number, lease: string, deadline: number, silent?: number): EpisodeEvent => ({
  type: 'LeaseExpired',
  data: { lease, deadline: t(deadline), at: t(minutes), ...(silent !== undefined && { silent }) },
})

export const lapsed = (minutes: number, lease: string): EpisodeEvent => ({
  type: 'WorkItemLapsed',
  data: { lease, at: t(minutes) },
})

export const reopen = (minutes: number, which: Pick<Reopen, 'engines' | 'clips'> = {}): Reopen => ({
  type: 'Reopen',
  ...by(minutes),
  reason,
  ...which,
})
