import type { Answer } from '../../api/client.ts'
import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import { clock } from './clock.ts'

type Finding = Answer<'/api/v1/research/findings'>['findings'][number]

/** A verdict: the button's word, the command's, and what it says. */
export const verdicts = [
  ['Confirm', 'confirmed', 'Says that it is the clip that is heard there.'],
  ['Reject', 'rejected', 'Says that it is not the clip. What the researcher found stays on record.'],
  ['Not sure', 'unsure', 'Says that one cannot tell.'],
] as const

const place = ({ episode, clip, offset }: Finding) => ({ episode, clip, offset })

/** What can be done with places that are chosen. */
export const placeChoosing: Choosing<Finding> = {
  nouns: ['place', 'places'],
  nameOf: ({ clipTitle, episodeTitle, offset }) => `${clipTitle} in ${episodeTitle} at ${clock(offset)}`,
  standsOf: ({ verdict, score }) => `${verdict ?? 'not judged'}, score ${score.toFixed(3)}`,
  acts: verdicts.map(([verb, word, says]) =>
    commandAct<Finding>({
      name: 'research.judge',
      verb,
      says,
      input: (row) => ({ ...place(row), verdict: word }),
      cannot: ({ verdict }) => (verdict === word ? `It is ${word} already.` : undefined),
      isUndoable: ({ verdict }) => verdict !== undefined,
      undo: commandAct<Finding>({
        name: 'research.judge',
        verb: 'Judge as before',
        says: 'Gives each the verdict that it had before.',
        input: (row) => ({ ...place(row), verdict: row.verdict }),
      }),
    }),
  ),
}
