import type { ResumePoint } from './capture-query.ts'

/** Encodes a resume point as one word, which a URL can have as it is. */
export const resumeKeyOf = ({ key, time, place }: ResumePoint): string =>
  encodeURIComponent(`${key} ${time} ${place}`).replaceAll('%20', '+')

/** Reads a resume key as `resumeKeyOf` makes it, or decoded once: clients send either. Returns undefined if it is none. */
export const resumePointOf = (text: string): ResumePoint | undefined => {
  const decoded = text.includes(' ') ? text : decodedOnce(text)
  const [, key, time, place] = /^(\S+) (\d{14}) ([1-9]\d{0,8})$/.exec(decoded) ?? []
  return key === undefined || time === undefined ? undefined : { key, time, place: Number(place) }
}

const decodedOnce = (text: string): string => new URLSearchParams(`text=${text}`).get('text') ?? ''
