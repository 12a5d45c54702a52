import { addMillis, HOUR } from '../domain/kernel/time.ts'

/** Work that goes on now. */
export interface UnderWay {
  readonly title: string
  /** Address of the page that shows it. */
  readonly page: string
  readonly done: number
  /** With those done; as far as it is known. */
  readonly total: number
  /** ISO 8601 UTC; absent: it cannot be told. */
  readonly until?: string
}

/** A workflow as home shows it. It is asked at every move of the log: no answer reads a million rows. */
export interface Overview {
  readonly underWay: readonly UnderWay[]
  /** How many things wait for a person. */
  readonly needs: number
}

/** Most works that are listed of a workflow. */
export const maxUnderWay = 10

interface Rate {
  /** Things done in the last hour. */
  readonly inHour: number
  readonly now: string
}

/** When so many things are done at the rate of the last hour; undefined if nothing was done in it. */
export const expectedEnd = (left: number, { inHour, now }: Rate): string | undefined =>
  inHour > 0 && left > 0 && left / inHour < 24 * 365 ? addMillis(now, (left / inHour) * HOUR) : undefined
