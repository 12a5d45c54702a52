import type { System } from '../../app/system.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, narrowRows } from '../../domain/kernel/read-views.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import { count, visible } from '../output/text.ts'
import type { ItemCondition, Scopes } from './pending.ts'

/** An item that its check did not find as recorded, or that could not be checked. */
export interface WrongItem {
  readonly store: string
  readonly path: string
  readonly state: WrongState
  /** The finding in a sentence, or the error of the last attempt. */
  readonly cause: string | null
  /** Time of the last check that read the content and found it as recorded; null if there is none. */
  readonly lastVerified: string | null
}

export interface WrongItems {
  /** The first ones by state, store and path: at most `maxWrong`. */
  readonly wrong: readonly WrongItem[]
  readonly wrongLeftOut: number
}

/** In the order in which they are named. `seen`: only items that were checked since the check was requested. */
const wrongStates = [
  { state: 'failed', seen: true },
  { state: 'parked', seen: false },
  { state: 'unverified', seen: true },
  { state: 'suspect', seen: false },
] as const
type WrongState = (typeof wrongStates)[number]['state']

const maxWrong = 1000
const maxShown = 20

/** Names what a check counted as wrong. `counted` has the amounts: states without items are not searched. */
export const wrongItems = (
  { viewStore }: Pick<System, 'viewStore'>,
  scopes: Scopes,
  asked: string,
  counted: Readonly<Record<WrongState, number>>,
): WrongItems => {
  const wrong: WrongItem[] = []
  let total = 0
  for (const { state, seen } of wrongStates) {
    if (counted[state] === 0) continue
    total += counted[state]
    const since: readonly ItemCondition[] = seen ? [{ column: 'lastChecked', is: '>=', value: asked }] : []
    for (const { where } of scopes) {
      if (wrong.length >= maxWrong) break
      const found = narrowRows(viewStore, items, ['store', 'path', 'because', 'lastVerified'], {
        where: [...where, is('state', state), ...since],
        orderBy: [{ column: 'path' }],
        limit: maxWrong - wrong.length,
      })
      for (const { store, path, because, lastVerified } of found)
        wrong.push({ store, path, state, cause: because, lastVerified })
    }
  }
  return { wrong, wrongLeftOut: Math.max(0, total - wrong.length) }
}

/** One line an item: state, store, path, cause and last good day; then the commands that show more. */
export const wrongLines = ({ wrong, wrongLeftOut }: WrongItems): readonly string[] => {
  const [first] = wrong
  if (!first) return []
  const more = wrong.length + wrongLeftOut - maxShown
  const states = [...new Set(wrong.map(({ state }) => state))]
  return [
    ...wrong.slice(0, maxShown).map(wrongLine),
    ...(more > 0
      ? [
          `  and ${count(more)} more: ${states.map((state) => `\`fonds query fixity-items --where state=${state}\``).join(', ')}`,
        ]
      : []),
    `\`${commandLine('fixity item', first.store, first.path)}\` shows what each witness reports of the first`,
  ]
}

const wrongLine = ({ store, path, state, cause, lastVerified }: WrongItem): string =>
  `  ${state}  ${visible(store)}  ${visible(path)}: ${visible(cause ?? 'no cause is recorded')} ` +
  `${lastVerified === null ? 'Never read and found as recorded.' : `Last good: ${lastVerified.slice(0, 10)}.`}`
