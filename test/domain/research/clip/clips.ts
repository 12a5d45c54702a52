import { clipDecider } from '#src/domain/research/clip/decide.ts'
import type { ClipEvent } from '#src/domain/research/clip/events.ts'
import type { Details } from '#src/domain/research/curation.ts'
import type { Curate } from '#src/domain/research/curation-commands.ts'
import { specify } from '../../../given.ts'

/* Commands and events of one clip, as tests want them. Times are minutes. */

export const given = specify(clipDecider)

export const t = (minutes: number): string => new Date(Date.UTC(2026, 0, 31, 12, minutes)).toISOString()
export const by = (minutes: number) => ({ actor: 'ada', at: t(minutes) })
export const reason = 'because'

export const details = {
  title: 'The gurgle',
  mediaUri: 'https://media.example/gurgle.mp3',
  mediaType: 'audio/mpeg',
  curator: 'clip-site',
}

/** Seen at `seen`, heard of at `minutes`. */
export const curate = (
  minutes: number,
  seen: number,
  more: Partial<Details> = {},
  firstCuratedAt?: string,
): Curate => ({
  type: 'Curate',
  ...by(minutes),
  details: { ...details, ...more },
  curatedAt: t(seen),
  ...(firstCuratedAt !== undefined && { firstCuratedAt }),
})

export const curated = (
  minutes: number,
  more: { priority?: number; firstCuratedAt?: string; foreign?: boolean } = {},
): ClipEvent => ({
  type: 'Curated',
  data: {
    ...details,
    priority: 0,
    firstCuratedAt: t(minutes),
    curatedAt: t(minutes),
    at: t(minutes),
    ...more,
  },
})

export const recurated = (minutes: number): ClipEvent => ({
  type: 'Recurated',
  data: { curatedAt: t(minutes), at: t(minutes) },
})

export const amended = (minutes: number, more: Partial<Details> = {}): ClipEvent => ({
  type: 'Amended',
  data: { ...details, priority: 0, curatedAt: t(minutes), at: t(minutes), ...more },
})
