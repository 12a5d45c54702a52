import { count } from '../../../domain/kernel/amounts.ts'
import type { TurnCause } from '../../../domain/matching/turn-cause.ts'

const inWords = ({ work, effect, from, to }: TurnCause): string => {
  switch (effect) {
    case 'linked':
      return work === from ? `${from} names ${to}` : `${to} is back, which ${from} names`
    case 'unlinked':
      return work === from ? `${from} no longer names ${to}` : `${to} was deleted, which ${from} names`
    case 'described':
      return `${work} was described`
  }
}

const maxShown = 3

/** Causes of moves, in words; `all`: how many causes there are. */
export const causesInWords = (causes: readonly TurnCause[], all = causes.length): string => {
  if (causes.length === 0) return 'cause not kept'
  const some = causes.slice(0, maxShown)
  const more = all > some.length ? `; and ${count(all - some.length)} more` : ''
  return `${some.map(inWords).join('; ')}${more}`
}
