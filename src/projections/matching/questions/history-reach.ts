import type { Views } from '../../../domain/kernel/view.ts'
import { generationOf, generationRow } from './reading.ts'

/**
 * How far the history of a generation goes back: its joins and splits begin when it was built; earlier ones are of the
 * one before.
 */
export const historyReach = (views: Views, generation: number | undefined): readonly string[] => {
  const number = generation ?? generationOf(views, {})
  const since = generationRow(views, number)?.listedAt
  return typeof since === 'string'
    ? [`Generation ${number} goes back to ${since}; --generation ${number - 1} goes back further.`]
    : []
}
