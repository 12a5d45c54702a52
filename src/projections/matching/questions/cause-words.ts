import { count } from '../../../domain/kernel/amounts.ts'
import type { TurnCause } from '../../../domain/matching/turn-cause.ts'

type NameOf = (id: string) => string

const inWords = ({ work, effect, from, to }: TurnCause, nameOf: NameOf): string => {
  if (from === null || to === null) return `${nameOf(work)} was described`
  const [one, other] = [nameOf(from), nameOf(to)]
  if (effect === 'linked')
    return work === from ? `${one} names ${other}` : `${other} is back, which ${one} names`
  return work === from ? `${one} no longer names ${other}` : `${other} was deleted, which ${one} names`
}

/** The works that a cause names. */
export const idsOfCause = ({ work, from, to }: TurnCause): readonly string[] =>
  [work, from, to].filter((id) => id !== null)

const maxShown = 3

/** Causes of moves, in words; `all`: how many causes there are, `nameOf`: how works are named. */
export const causesInWords = (
  causes: readonly TurnCause[],
  all = causes.length,
  nameOf: NameOf = (id) => id,
): string => {
  if (causes.length === 0) return 'cause not kept'
  const some = causes.slice(0, maxShown)
  const more = all > some.length ? `; and ${count(all - some.length)} more` : ''
  return `${some.map((cause) => inWords(cause, nameOf)).join('; ')}${more}`
}
