import { checkLog } from '../../app/proof/check/check-log.ts'
import { keepWhole } from '../../app/proof/check/check-state.ts'
import type { RemovedBy } from '../../app/proof/check/compare-log.ts'
import type { Difference } from '../../app/proof/check/differences.ts'
import { recomputeStreams } from '../../app/proof/check/recompute-streams.ts'
import { openHead } from '../../app/proof/open-tree.ts'
import { newestStatement } from '../../app/proof/streams/stated-streams.ts'
import { retentionStream } from '../../domain/kernel/retention.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { count, plural, visible } from '../output/text.ts'
import { onOwnTree } from './own-tree.ts'

const inWords = ({ category, policy: { days, actor, reason }, events, first, last }: RemovedBy): string =>
  visible(
    `${events} of ${category}-… after ${plural(days, 'day')} by ${actor} (${reason}), revision${first === last ? ` ${first}` : `s ${first} to ${last}`} of ${retentionStream(category)}`,
  )

export const run = async (session: Session): Promise<CliFailure | undefined> => {
  const system = await session.system()
  return onOwnTree(system, async ({ files, head: { text: head }, verifiers }) => {
    const { output, signal } = session
    const found: Difference[] = []
    const progress = session.progress('Comparing the log with its tree')
    const statement = await newestStatement(system.eventStore, openHead(head, verifiers))
    const heads = files.scratchHeads()
    const streams = statement && recomputeStreams(heads, statement.data, statement.event.revision)
    let misstated: string | undefined
    const checked = await checkLog(system.eventStore, files, head, verifiers, {
      onDifference: (difference) => found.push(difference),
      onProgress: (leaves, of) => progress.part(leaves / of),
      ...(streams && { onEntry: streams.add }),
      signal,
    })
      .then(async (whole) => {
        misstated = await streams?.end(signal)
        return whole
      })
      .finally(() => {
        progress.done()
        heads.close()
      })
    const sentences = found.map(({ says }) => says)
    await keepWhole(files, { origin: checked.origin, at: system.clock.now(), differences: sentences })
    const { origin, size, same, removedBy, deleted, unsealed, isCut } = checked
    const removed = removedBy.reduce((sum, { events }) => sum + events, 0)
    await output.write(
      output.isTTY
        ? found.map(({ says }) => `${visible(says)}.\n`).join('')
        : found.map((one) => `${jsonText(one)}\n`).join(''),
    )
    if (found.length > 0)
      return refused(
        `${isCut ? 'at least ' : ''}${plural(found.length, 'difference')} between the log and the tree ${origin}, which has ${count(Number(size))} leaves`,
        'the log was changed after it was sealed: compare with a backup, and keep both',
      )
    if (misstated !== undefined)
      return refused(
        misstated,
        'exports of things that rest on this statement prove nothing: write them with --whole',
      )
    await output.write(
      output.isTTY
        ? `${plural(same, 'event')} as sealed under ${origin}, and the tree has the signed root.${
            removed > 0
              ? ` ${plural(removed, 'sealed event')} removed since by policies that events in the log tell of: ${removedBy.map(inWords).join('; ')}.`
              : ''
          }${
            deleted > 0
              ? ` ${plural(deleted, 'sealed event')} deleted since, by rules of their streams that no event tells of.`
              : ''
          }${unsealed > 0 ? ` ${plural(unsealed, 'event')} not sealed yet.` : ''}\n`
        : `${jsonText({ origin, size, same, removed, removedBy, deleted, unsealed })}\n`,
    )
    return undefined
  })
}
