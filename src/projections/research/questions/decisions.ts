import { plural } from '../../../domain/kernel/amounts.ts'
import { rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { capacity } from '../../../domain/research/views.ts'
import type { Decision } from './answers.ts'

/** X2: decisions of the assigner, and their reasons; the newest first, 50 by default. */
export const decisions = (store: Views, limit = 50): readonly Decision[] =>
  rows(store, capacity, { orderBy: [{ column: 'number', descending: true }], limit }).map((row) => {
    const decision = {
      number: row.number ?? 0,
      at: row.at ?? '',
      researchers: row.researchers ?? 0,
      queued: row.queued ?? 0,
      // L3: if no researcher is present, no position is computed.
      position: row.researchers ? row.researchers - (row.queued ?? 0) : null,
      added: row.added ?? 0,
      stopped: row.stopped,
    }
    return { ...decision, says: sentence(decision) }
  })

const sentence = ({ researchers, queued, added, stopped }: Omit<Decision, 'says'>): string => {
  const there = `${plural(researchers, 'researcher')}, ${plural(queued, 'item')} waiting`
  const because = {
    surplus: `${there}: enough`,
    'no-researchers': `nobody is there to take the ${plural(queued, 'item')} that ${queued === 1 ? 'waits' : 'wait'}`,
    'no-work': `${there}: nothing is open that could be handed out`,
    paused: `${there}: handing out is paused`,
  }[stopped]
  return `${added === 0 ? 'Added nothing' : `Added ${plural(added, 'item')}`}; ${because}.`
}
