import { type ConditionOn, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ViewShape, Views } from '../../domain/kernel/view.ts'
import { engineKey } from '../../domain/research/terms.ts'
import { clipResults, clips, episodeResults, episodes, findings } from '../../domain/research/views.ts'

/*
 * Rejects unknown names, which the policy's stream cannot detect: a misspelt name would be recorded, and change
 * nothing.
 */

type Asking = Pick<Views, 'query'>

export const unknownCurator = (curator: string, views: Asking): Rejection | undefined =>
  [episodes, clips].some((view) => has(views, view, is('curator', curator)))
    ? undefined
    : unknown(`no episode or clip was brought by a curator ${curator}; check the spelling`)

/** Rejection of a command that reopens results. */
export const unknownWork = (
  { episode, clip, engine, version }: { episode?: string; clip?: string; engine?: string; version?: string },
  views: Asking,
): Rejection | undefined => {
  if (episode !== undefined && !has(views, episodeResults, is('episode', episode)))
    return unknown(`nothing is known of the episode ${episode}; \`fonds research episodes\` lists all`)
  if (clip !== undefined && !has(views, clipResults, is('clip', clip)))
    return unknown(`nothing is known of the clip ${clip}; \`fonds research clips\` lists all`)
  if (engine === undefined || version === undefined) return undefined
  const engines = new Set(rowsIfFolded(views, episodeResults).flatMap(({ done }) => Object.keys(done)))
  const wanted = engineKey({ name: engine, version })
  return engines.has(wanted)
    ? undefined
    : unknown(
        `no result that counts is by the engine ${wanted}; ${engines.size > 0 ? `there are ${[...engines].sort().join(', ')}` : 'there are no results yet'}`,
      )
}

/** Rejection of a verdict: its offset must be that of a match, to the nanosecond. */
export const unknownFinding = (
  { episode, clip, offset }: { readonly episode: string; readonly clip: string; readonly offset: number },
  views: Asking,
): Rejection | undefined => {
  const [found] = rowsIfFolded(views, findings, {
    where: [is('episode', episode), is('clip', clip)],
    limit: 1,
  })
  if (found?.matches.some((match) => match.offset === offset)) return undefined
  const others = found?.matches.map((match) => match.offset).join(', ')
  return unknown(
    others
      ? `${clip} was not found at ${offset} in ${episode}, but at ${others}`
      : `${clip} was found nowhere in ${episode}; \`fonds research findings\` lists what was found`,
  )
}

/** True if the view has such a row. Before the first fold there is none. */
const has = <Shape extends ViewShape>(views: Asking, view: Shape, where: ConditionOn<Shape>): boolean =>
  rowsIfFolded(views, view, { where: [where], limit: 1 }).length > 0

const unknown = (message: string): Rejection => ({ code: 'unknown', message })
