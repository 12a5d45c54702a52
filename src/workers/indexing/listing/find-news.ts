import { isLeft } from 'fp-ts/lib/Either.js'
import { decider } from '../../../domain/indexing/decide.ts'
import type { Policy } from '../../../domain/indexing/policy.ts'
import { initial } from '../../../domain/indexing/state.ts'
import { files } from '../../../domain/indexing/views.ts'
import { decisionOf } from '../../../domain/kernel/decider.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Sighted } from './sighted.ts'

/**
 * Returns the sightings that would change the state of their files, by the views: an unchanged list sends no messages
 * (W6). If the views lag, too many are sent, and the decider finds nothing new in them.
 */
export const findNews = (
  views: Pick<ViewStore, 'query'>,
  repository: string,
  sighted: readonly Sighted[],
  policy: Policy,
  at: string,
): readonly Sighted[] => {
  const known = new Map(
    rowsIfFolded(views, files, {
      where: [
        is('repository', repository),
        { column: 'name', is: 'in', value: sighted.map(({ name }) => name) },
      ],
    }).map(({ name, folded }) => [name, folded]),
  )
  return sighted.filter(({ name, kind, place }) => {
    const command = {
      type: 'Sight',
      file: { repository, name },
      place,
      kind,
      policy,
      at,
      actor: 'poller',
    } as const
    const decided = decider.decide(command, known.get(name) ?? initial)
    return isLeft(decided) || decisionOf(decided.right).events.length > 0
  })
}
