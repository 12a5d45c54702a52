import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Path, StoreName } from '../../domain/fixity/item.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { restoreFields, storeStream } from '../../domain/fixity/store/events.ts'
import type { By } from '../../processors/runtime/operator-command.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import type { SystemCommand } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { RestoreRefused } from './archived-items.ts'
import type { RestoreAnswer } from './restore-items.ts'

const Restoration = t.intersection([
  t.type({ store: StoreName, days: restoreFields.days, tier: restoreFields.tier }),
  t.partial({ prefix: t.string, path: Path }),
])
type Restoration = t.TypeOf<typeof Restoration>

/** Most objects that one request describes: a HEAD for each, while its client waits. */
const most = 10_000
const patienceMillis = 5 * 60_000

/**
 * Repeated with the same key, it asks for nothing that is being restored. `RestoreRequested` is recorded before the bucket
 * is asked, and `RestoreAnswered` by the command itself.
 */
export const restoreCommand: SystemCommand = {
  name: 'fixity.restore',
  description:
    'Has archived objects of a bucket restored, which costs money: those of a store, below a prefix, or of one item. `fonds fixity ' +
    'archived` tells before how many the last checks found; at most 10,000 in one command, else `fonds fixity restore`.',
  codec: Restoration,
  example: { store: 'main', prefix: 'letters/', days: 10, tier: 'Bulk' },
  carryOut: (input: Restoration, context: WorkflowContext, by: By) => restored(input, context, by),
  route: (answer: RestoreAnswer, by: By) =>
    routeTo(storeDecider, storeStream(answer.store), {
      type: 'NoteRestoreAnswer',
      ...answer,
      actor: by.actor,
      at: by.at,
    }),
}

const restored = async (
  { store, prefix, path, days, tier }: Restoration,
  context: WorkflowContext,
  { actor, reason }: By,
): Promise<E.Either<{ readonly code: string; readonly message: string }, RestoreAnswer>> => {
  if (prefix !== undefined && path !== undefined)
    return E.left({ code: 'two-scopes', message: 'give prefix or path, not both' })
  const { answerOf, restoreItems } = await import('./restore-items.ts')
  const scope = { ...(prefix !== undefined && { prefix }), ...(path !== undefined && { item: path }) }
  try {
    const summary = await restoreItems(
      context,
      store,
      { ...scope, days, tier, actor, reason },
      { signal: AbortSignal.timeout(patienceMillis), most },
    )
    const { objects, underWay, restored, accepted, notes } = summary
    if (objects === 0)
      return E.left({
        code: 'nothing-archived',
        message: `nothing there waits for a restoration: ${underWay} being restored, ${restored} restored`,
      })
    if (accepted === 0)
      return E.left({ code: 'refused-by-storage', message: `the bucket refused: ${notes[0]?.note ?? ''}` })
    return E.right(answerOf(summary, scope))
  } catch (error) {
    if (error instanceof RestoreRefused) return E.left({ code: error.code, message: error.message })
    throw error
  }
}
