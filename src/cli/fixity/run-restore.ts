import { sealedBy } from '../../app/sealed-by.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { RestoreTier } from '../../domain/fixity/store/events.ts'
import type { RestoreScope } from '../../workflows/fixity/archived-items.ts'
import {
  answerOf,
  estimateRestore,
  type RestoreEstimate,
  type RestoreSummary,
  recordAnswer,
  restoreItems,
} from '../../workflows/fixity/restore-items.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { bytes, count, plural, visible } from '../output/text.ts'
import { rejecting } from './rejecting.ts'

interface RestoreFlags extends RestoreScope {
  readonly days?: number
  readonly tier?: RestoreTier
  readonly estimate?: boolean
  readonly reason?: string
  readonly actor: string
}

export const run = async (
  session: Session,
  store: string,
  { days, tier, estimate, reason: why, actor: who, prefix, item }: RestoreFlags,
): Promise<CliFailure | undefined> => {
  const scope = { ...(prefix !== undefined && { prefix }), ...(item !== undefined && { item }) }
  if (prefix !== undefined && item !== undefined) return usage('give --prefix or --item, not both')
  const { output, signal } = session
  const write = (lines: readonly string[], value: unknown) =>
    output.write(output.isTTY ? `${lines.join('\n')}\n` : `${jsonText(value)}\n`)
  if (estimate) {
    const system = await session.system()
    await freshViews(session, system)
    const describing = session.progress('Describing')
    const found = await rejecting(
      estimateRestore(system, store, scope, { signal, onDescribed: () => describing.advance(1) }),
    )
    describing.done()
    await write(estimateLines(found), found)
    return undefined
  }
  if (!days || !tier || !why)
    return usage(
      'a restoration costs money: it needs --days, of one at least, --tier and --reason',
      '`--estimate` tells before how many objects and bytes it is',
    )
  const system = await session.system()
  const { actor, reason } = await orThrow(sealedBy(system, { actor: who, reason: why }), 'personal values')
  await freshViews(session, system)
  const describing = session.progress('Describing')
  let asking: ReturnType<typeof session.progress> | undefined
  const summary = await rejecting(
    restoreItems(
      system,
      store,
      { ...scope, days, tier, reason, actor },
      {
        signal,
        onDescribed: () => describing.advance(1),
        onAsked: (_, total) => {
          if (!asking) describing.done()
          asking ??= session.progress('Asking', { total })
          asking.advance(1)
        },
      },
    ),
  )
  ;(asking ?? describing).done()
  if (summary.objects > 0) await recordAnswer(system, answerOf(summary, scope), actor)
  await write(summaryLines(summary), summary)
  if (summary.refused > 0)
    return refused(
      `${plural(summary.refused, 'object was', 'objects were')} not restored: ${summary.notes[0]?.note ?? ''}`,
      'run it again once that is settled: what is being restored is not asked for twice',
    )
  if (summary.accepted > 0)
    session.say(`Once they are restored, in some hours, \`fonds fixity check ${store}\` reads them.`)
  return undefined
}

/** For people. */
const estimateLines = (found: RestoreEstimate): readonly string[] => {
  const { store, root, objects, classes, underWay, restored } = found
  return [
    `${store} (${visible(root)}): ${plural(objects, 'archived object')} to restore, ${bytes(found.bytes)}`,
    ...Object.entries(classes).map(
      ([name, of]) => `  ${visible(name)}: ${plural(of.objects, 'object')}, ${bytes(of.bytes)}`,
    ),
    ...(underWay > 0 ? [`  ${count(underWay)} more are being restored`] : []),
    ...(restored > 0 ? [`  ${count(restored)} more are restored, and can be read`] : []),
  ]
}

/** Lines of notes on a terminal; a pipe has more. */
const maxShown = 20

const summaryLines = (summary: RestoreSummary): readonly string[] => [
  ...estimateLines(summary),
  `  asked of the bucket: ${plural(summary.accepted, 'object')}, for ${plural(summary.days, 'day')}, ${summary.tier}`,
  ...summary.notes.slice(0, maxShown).map(({ path, note }) => `  ! ${visible(path)}: ${visible(note)}`),
]
