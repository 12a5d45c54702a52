import { expect } from 'vitest'
import { componentAnswer } from '#src/projections/matching/questions/component.ts'
import { why } from '#src/projections/matching/questions/why.ts'
import { folded } from './folding.ts'

/** Ids in their order. */
export const chain = (length: number) => Array.from({ length }, (_, i) => `w${String(i).padStart(5, '0')}`)

/** A chain of works is told in pieces, parted in one work, and joined again: the views have all of it. */
export const expectJoined = (length: number, piece: number): void => {
  const all = folded()
  const ids = chain(length)
  const parting = Math.floor(length * 0.4)
  const [id, next] = ids.slice(parting)
  for (const [i, id] of ids.entries()) all.log.say(id, { links: ids.slice(i + 1, i + 2) })
  all.log.flush({ piece })
  all.log.say(id!)
  all.log.flush({ piece })
  all.log.say(id!, { links: [next!] })
  all.log.flush({ piece })
  const at = { where: [{ column: 'generation', is: '=', value: 1 } as const] }
  expect(all.views.query('matching-graphs', at)).toMatchObject([{ size: length, held: length }])
  expect(componentAnswer(all.views, id!)).toMatchObject({ size: length, leftOut: length - 500 })
  const answer = why(all.views, ids[0]!, ids.at(-1)!)
  // The last piece of the last change brought them together.
  expect(answer).toMatchObject({ kind: 'together', since: all.log.events.at(-1)?.recordedAt })
  expect(answer?.kind === 'together' && answer.parting).toHaveLength(length - 1)
}
