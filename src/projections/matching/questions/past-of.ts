import type { Views } from '../../../domain/kernel/view.ts'
import { generationOf, generationRow } from './reading.ts'

/** How far back a generation goes: it knows of joins and splits since it was built, and the one before it of earlier ones. */
export const pastOf = (views: Views, generation: number | undefined): readonly string[] => {
  const number = generation ?? generationOf(views, {})
  const since = generationRow(views, number)?.listedAt
  return typeof since === 'string'
    ? [`Generation ${number} goes back to ${since}; --generation ${number - 1} goes back further.`]
    : []
}
