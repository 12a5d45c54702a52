import type { Answer } from '../../api/client.ts'
import { count } from '../../parts/words.ts'

export type Counts = Answer<'/api/v1/fixity/stores'>['stores'][number]['counts']
export type Part = Exclude<keyof Counts, 'expected'>

/** What is drawn alike: the worst last, so that it stands on top. */
export const tones = ['good', 'unsaid', 'late', 'bad'] as const
export type Tone = (typeof tones)[number]

/** Nobody says of what is late, was never checked, or was not read, that it is well. */
export const toneOf: Readonly<Record<Part, Tone>> = {
  verified: 'good',
  baselined: 'good',
  accepted: 'good',
  unread: 'unsaid',
  unchecked: 'unsaid',
  unverified: 'unsaid',
  lost: 'bad',
  suspect: 'late',
  late: 'late',
  parked: 'late',
  failed: 'bad',
}

export const parts = Object.keys(toneOf) as Part[]

/** How many items have each tone. */
export const tonesOf = (counts: Counts): Readonly<Record<Tone, number>> => {
  const sums = { good: 0, unsaid: 0, late: 0, bad: 0 }
  for (const part of parts) sums[toneOf[part]] += counts[part]
  return sums
}

/** `40 verified, 12 baselined, 4 failed`: what is not 0, the worst first. */
export const inWords = (counts: Counts): string => {
  const said = parts.filter((part) => counts[part] > 0)
  return said.length === 0
    ? 'no items'
    : said.map((part) => `${count(counts[part])} ${words[part]}`).join(', ')
}

export const words: Readonly<Record<Part, string>> = {
  verified: 'verified',
  baselined: 'baselined',
  accepted: 'accepted',
  unread: 'not read, their records agree',
  unchecked: 'never checked',
  unverified: 'with nothing to compare',
  lost: 'lost',
  suspect: 'suspect',
  late: 'late',
  parked: 'parked',
  failed: 'failed',
}
