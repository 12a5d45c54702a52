import { orThrow } from '../../async/unavailable.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { policyState } from './policy-lookup.ts'

/** Names of curators in the log, by their names in messages. Throws `UnavailableError`. */
export type CuratorNames = (given: ReadonlySet<string>) => Promise<(name: string) => string>

export interface NamesCurators {
  readonly personal: Pick<PersonalValues, 'find'>
  readonly states: Pick<StreamStates, 'load'>
}

export const asGiven: CuratorNames = async () => (curator) => curator

/** A curator who is pinned or excluded by a plain name keeps that name for as long: what they bring meets the list. */
export const curatorNames =
  ({ personal, states }: NamesCurators): CuratorNames =>
  async (given) => {
    const references = [...given].filter(isPersonal)
    if (references.length === 0) return (curator) => curator
    const { pinnedCurators, excludedCurators } = await policyState(states)
    const listed = new Set([...pinnedCurators, ...excludedCurators].filter((name) => !isPersonal(name)))
    if (listed.size === 0) return (curator) => curator
    const values = await orThrow(personal.find(references), 'personal values')
    return (curator) => {
      const value = values.get(curator)
      return value?.kind === 'value' && listed.has(value.text) ? value.text : curator
    }
  }
