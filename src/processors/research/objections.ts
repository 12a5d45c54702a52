import type { Rejection } from '../../domain/kernel/rejection.ts'
import { engineKey } from '../../domain/research/terms.ts'
import { type Row, type ViewQuery, ViewQueryError, type ViewStore } from '../../ports/view-store.ts'

/*
 * What the desk's stream cannot know: whether anybody ever heard of what a command names. A slip in it would be written
 * down, and change nothing, without a word.
 */

type Views = Pick<ViewStore, 'query'>

export const unknownCurator = (curator: string, views: Views): Rejection | undefined =>
  ['research-episodes', 'research-clips'].some((view) => has(views, view, 'curator', curator))
    ? undefined
    : unknown(`no episode or clip was brought by a curator ${curator}; check the spelling`)

/** Of what is to be researched again. */
export const unknownWork = (
  { episode, clip, engine, version }: { episode?: string; clip?: string; engine?: string; version?: string },
  views: Views,
): Rejection | undefined => {
  if (episode !== undefined && !has(views, 'research-episode-results', 'episode', episode))
    return unknown(`nothing is known of the episode ${episode}; \`fonds research episodes\` lists all`)
  if (clip !== undefined && !has(views, 'research-clip-results', 'clip', clip))
    return unknown(`nothing is known of the clip ${clip}; \`fonds research clips\` lists all`)
  if (engine === undefined || version === undefined) return undefined
  const engines = enginesIn(rowsOf(views, 'research-episode-results', {}))
  const wanted = engineKey({ name: engine, version })
  return engines.has(wanted)
    ? undefined
    : unknown(
        `no result that counts is by the engine ${wanted}; ${engines.size > 0 ? `there are ${[...engines].sort().join(', ')}` : 'there are no results yet'}`,
      )
}

const enginesIn = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ done }) => Object.keys((done ?? {}) as object)))

const has = (views: Views, view: string, column: string, value: string): boolean =>
  rowsOf(views, view, { where: [{ column, is: '=', value }], limit: 1 }).length > 0

/** None before the first fold. */
const rowsOf = (views: Views, view: string, query: ViewQuery): readonly Row[] => {
  try {
    return views.query(view, query)
  } catch (error) {
    if (error instanceof ViewQueryError) return []
    throw error
  }
}

const unknown = (message: string): Rejection => ({ code: 'unknown', message })
