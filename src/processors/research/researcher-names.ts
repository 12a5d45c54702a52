import { pipe } from 'fp-ts/lib/function.js'
import { finishAll } from '../../async/finish-all.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'
import type { Researcher } from '../../domain/research/episode/commands.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { researcherStream } from '../../domain/research/terms.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** Names of researchers in the log, by their names in messages. Throws `UnavailableError`. */
export type ResearcherNames = (given: ReadonlySet<string>) => Promise<(name: string) => Researcher>

export interface NamesResearchers {
  readonly personal: Pick<PersonalValues, 'find'>
  readonly states: Pick<StreamStates, 'load'>
}

export const asGiven: ResearcherNames = async () => (researcher) => ({ researcher })

/**
 * A researcher has one name in the log. One that has a stream by its plain name keeps that name, with its blocks; any other one has
 * its reference, and what it took under its plain name is still its own.
 */
export const researcherNames =
  ({ personal, states }: NamesResearchers): ResearcherNames =>
  async (given) => {
    const references = [...given].filter(isPersonal)
    if (references.length === 0) return (researcher) => ({ researcher })
    const values = await orThrow(personal.find(references), 'personal values')
    const named = await finishAll(
      references.map(async (reference) => {
        const value = values.get(reference)
        // A typed reference is a text like any other: it leads to nobody's stream or lease.
        if (value?.kind !== 'value' || isPersonal(value.text)) return { researcher: reference }
        const isPlain = await hasStream(value.text, states)
        return isPlain ? { researcher: value.text } : { researcher: reference, formerly: value.text }
      }),
    )
    const nameOf = new Map<string, Researcher>(references.map((reference, i) => [reference, named[i]!]))
    return (researcher) => nameOf.get(researcher) ?? { researcher }
  }

const hasStream = async (researcher: string, states: NamesResearchers['states']): Promise<boolean> => {
  const load = () => states.load(researcherDecider, researcherStream(researcher))
  const known = await pipe(load, ifDeleted(undefined), orThrow)
  return known?.state !== undefined
}
