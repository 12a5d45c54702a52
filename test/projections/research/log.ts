import { isLeft } from 'fp-ts/lib/Either.js'
import { categoryOf, type DomainEvent, type RecordedEvent } from '#src/domain/kernel/event.ts'
import { addMillis } from '#src/domain/kernel/time.ts'
import { capacityEvents } from '#src/domain/research/capacity.ts'
import { type ClipEvent, clipEvents } from '#src/domain/research/clip/events.ts'
import { type EpisodeEvent, episodeEvents } from '#src/domain/research/episode/events.ts'
import { type PolicyEvent, policyEvents } from '#src/domain/research/policy/events.ts'
import { type ResearcherEvent, researcherEvents } from '#src/domain/research/researcher/events.ts'
import {
  capacityStream,
  clipStream,
  episodeStream,
  policyStream,
  researcherStream,
} from '#src/domain/research/terms.ts'

export const start = '2026-01-01T00:00:00.000Z'

/** Each event of a log is recorded one second behind the one before; `t(0)` is the first. */
export const t = (seconds: number): string => addMillis(start, seconds * 1000)

const sets = {
  episode: episodeEvents,
  clip: clipEvents,
  researcher: researcherEvents,
  desk: policyEvents,
  capacity: capacityEvents,
}

export const second = 1_000_000_000
export const engine = { name: 'correlator', version: '1', settings: 'rate=8000' }

type DataOf<E extends DomainEvent, Type> = Extract<E, { readonly type: Type }>['data']
type Researched = DataOf<EpisodeEvent, 'ClipResearched'>
type Failed = DataOf<EpisodeEvent, 'ResearchFailed'>

export interface Said {
  readonly uri?: string
  readonly title?: string
  readonly priority?: number
  readonly curator?: string
}

/** A log of research, event by event; what is not said is as it mostly is. Every event goes through its codec. */
export const researchLog = () => {
  const events: RecordedEvent[] = []
  const revisions = new Map<string, number>()
  const now = () => t(events.length)

  const record = (stream: string, type: string, data: object): RecordedEvent => {
    const revision = (revisions.get(stream) ?? -1) + 1
    revisions.set(stream, revision)
    const position = events.length
    const event: RecordedEvent = {
      id: String(position),
      type,
      data: { at: now(), ...data },
      stream,
      revision: BigInt(revision),
      position: BigInt(position),
      recordedAt: t(position),
      metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 },
    }
    const read = sets[categoryOf(stream) as keyof typeof sets].read(event)
    if (isLeft(read)) throw new Error(read.left)
    events.push(event)
    return event
  }

  const details = (kind: string, id: string, { uri, title, priority = 0, curator = 'feed' }: Said) => ({
    title: title ?? `The ${kind} ${id}`,
    mediaUri: uri ?? `https://media.example/${kind}/${encodeURIComponent(id)}.mp3`,
    mediaType: 'audio/mpeg',
    priority,
    curator,
    curatedAt: now(),
  })

  const onEpisode = <Type extends EpisodeEvent['type']>(
    id: string,
    type: Type,
    data: Omit<DataOf<EpisodeEvent, Type>, 'at'> & { readonly at?: string },
  ) => record(episodeStream(id), type, data)
  const onClip = <Type extends ClipEvent['type']>(
    id: string,
    type: Type,
    data: Omit<DataOf<ClipEvent, Type>, 'at'> & { readonly at?: string },
  ) => record(clipStream(id), type, data)

  return {
    events,
    now,
    record,
    onEpisode,
    onClip,
    episode: (id: string, said: Said = {}) =>
      onEpisode(id, 'Curated', { ...details('episode', id, said), firstCuratedAt: now() }),
    amendEpisode: (id: string, said: Said = {}) => onEpisode(id, 'Amended', details('episode', id, said)),
    clip: (id: string, said: Said = {}) =>
      onClip(id, 'Curated', { ...details('clip', id, said), firstCuratedAt: now() }),
    amendClip: (id: string, said: Said = {}) => onClip(id, 'Amended', details('clip', id, said)),
    /** For an hour, its item for half of one. */
    lease: (
      episode: string,
      lease: string,
      clips: string[],
      more: { deadline?: string; notAfter?: string; at?: string } = {},
    ) =>
      onEpisode(episode, 'LeaseGranted', {
        lease,
        fence: 1,
        clips,
        deadline: addMillis(now(), 3_600_000),
        notAfter: addMillis(now(), 1_800_000),
        leaseSeconds: 3600,
        policy: 0,
        ...more,
      }),
    take: (episode: string, lease: string, researcher: string) =>
      onEpisode(episode, 'WorkItemTaken', { lease, researcher }),
    judged: (
      episode: string,
      clip: string,
      data: Omit<DataOf<EpisodeEvent, 'FindingJudged'>, 'at' | 'clip'>,
    ) => onEpisode(episode, 'FindingJudged', { clip, ...data }),
    /** Matches as offsets in seconds. Under a lease it extends that by an hour, unless told. */
    result: (
      episode: string,
      clip: string,
      { found = [], ...more }: Partial<Researched> & { readonly found?: readonly number[] } = {},
    ) =>
      onEpisode(episode, 'ClipResearched', {
        clip,
        researcher: 'listener-1',
        matches: found.map((at) => ({ offset: Math.round(at * second), score: 0.9 })),
        episodeDuration: 3600 * second,
        clipDuration: 3 * second,
        engine,
        researchedAt: now(),
        final: false,
        effect: more.lease
          ? { kind: 'extended', deadline: addMillis(now(), 3_600_000) }
          : { kind: 'none', because: 'no-lease' },
        repeat: false,
        ...more,
      }),
    fail: (episode: string, subject: Failed['subject'], more: Partial<Failed> = {}) =>
      onEpisode(episode, 'ResearchFailed', {
        subject,
        stage: 'download',
        error: 'answered 404',
        researcher: 'listener-1',
        effect: { kind: 'none', because: 'no-lease' },
        ...more,
      }),
    reopen: (episode: string, more: { engines?: string[]; clips?: string[] } = {}) =>
      onEpisode(episode, 'Reopened', { reason: 'a better engine', ...more }),
    researcher: <Type extends ResearcherEvent['type']>(
      id: string,
      type: Type,
      data: Omit<DataOf<ResearcherEvent, Type>, 'at'>,
    ) => record(researcherStream(id), type, data),
    policy: <Type extends PolicyEvent['type']>(type: Type, data: Omit<DataOf<PolicyEvent, Type>, 'at'>) =>
      record(policyStream, type, data),
    assessed: (data: { researchers: number; queued: number; added: number; stopped: string }) =>
      record(capacityStream, 'CapacityAssessed', data),
  }
}

export type ResearchLog = ReturnType<typeof researchLog>
