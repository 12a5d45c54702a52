import { visible } from '../../domain/kernel/visible.ts'
import {
  generationRow,
  type OfGeneration,
  rows,
  standingOf,
  type Views,
} from '../../projections/matching/reading.ts'
import { generations } from '../../projections/matching/views.ts'
import { clip } from './dot-text.ts'

/* Why there is no answer, in words for the command line and HTTP alike. */

/** A scope that leaves unsaid what was not asked for. */
export const ofGeneration = (generation: number | undefined): OfGeneration =>
  generation === undefined ? {} : { generation }

/** Generation 1 is there from the beginning, before anything is said of it. */
export const noGeneration = (views: Views, generation: number | undefined): string | undefined => {
  if (generation === undefined || generation === 1 || generationRow(views, generation)) return undefined
  const all = rows(views, generations, {}).map((row) => row.generation)
  return `there is no generation ${generation}; there ${all.length > 1 ? `are ${all.join(', ')}` : 'is 1'}`
}

/** Which of these works keeps a question from being answered, and why. */
export const noWork = (views: Views, works: readonly string[], of: OfGeneration): string => {
  const shown = (work: string) => visible(clip(work, 100, 'middle'))
  const where = of.generation === undefined ? '' : ` of generation ${of.generation}`
  const standings = works.map((work) => ({ work, standing: standingOf(views, work, of) }))
  const unknown = standings.find(({ standing }) => standing === 'unknown')
  if (unknown) return `nothing is known of ${shown(unknown.work)}`
  const waiting = standings.find(({ standing }) => standing === 'waiting')
  return waiting
    ? `${shown(waiting.work)} is in no graph${where} yet; the matcher, where it runs, will come to it`
    : `there is no document${where} of ${works.map(shown).join(' and ')} yet; the merger, where it runs, will come to it`
}
