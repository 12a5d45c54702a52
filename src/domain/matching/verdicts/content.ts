import { createHash } from 'node:crypto'
import type { Link } from '../events.ts'
import { byId, type WorkState } from '../work.ts'

/** The part of a record that belongs to the content of its graph. */
export interface RecordContent {
  readonly work: string
  readonly source: string
  readonly state: WorkState
  readonly title: string | null
  readonly links: readonly Link[]
}

/**
 * Names the content of a graph: which records are in it, from which source, in which state, with which title and links.
 * Versions, times and other fields are no part of it: a record that its source sends again as it was changes nothing.
 * A digest (SHA-256), which stored verdicts hold: it must stay as it is.
 */
export const graphContent = (works: Iterable<RecordContent>): string => {
  const digest = createHash('sha256')
  for (const { work, source, state, title, links } of [...works].sort((a, b) => byId(a.work, b.work)))
    digest.update(
      `${JSON.stringify([work, source, state, title, links.map(({ to, reasons }) => [to, reasons])])}\n`,
    )
  return digest.digest('base64url')
}
