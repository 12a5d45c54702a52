import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { bytes, count, plural, visible } from '../output/text.ts'
import { type MoveSummary, moveStoreTo } from './move-store.ts'
import { rootGiven } from './root-given.ts'

export const run = async (
  session: Session,
  store: string,
  root: string,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  await freshViews(session, system)
  const progress = session.progress('Comparing')
  let before = 0
  const summary = await moveStoreTo(system, store, rootGiven(root), {
    actor,
    reason,
    signal: session.signal,
    onProgress: ({ done, total }) => {
      progress.total(Math.max(total, done))
      progress.advance(done - before)
      before = done
    },
  })
  progress.done()
  const { output } = session
  await output.write(output.isTTY ? `${summaryLines(summary).join('\n')}\n` : `${jsonText(summary)}\n`)
  if (summary.moved) {
    if (output.isTTY) session.say(`Next: \`fonds fixity check ${store}\` tells what is new at the new root.`)
    return undefined
  }
  return refused(
    `store ${store} stays at ${visible(summary.from)}: ${plural(summary.unproven, 'item is', 'items are')} not proven to be the same at the new root`,
    'copy them again, then run the command again; nothing was changed',
  )
}

/** Lines of notes on a terminal; a pipe has more. */
const maxShown = 20

const summaryLines = (summary: MoveSummary): readonly string[] => {
  const { store, from, root, moved, same, byRecord, inNeither, unproven, notes } = summary
  const more = unproven - Math.min(notes.length, maxShown)
  return [
    `Store ${store}: ${visible(from)} → ${visible(root)}${moved ? '' : ' (not moved)'}`,
    `  ${plural(same, 'item has', 'items have')} the same bytes at both (${bytes(summary.bytes)} read at the new root)`,
    ...(byRecord > 0
      ? [`  ${count(byRecord)} missing or damaged at the old root, and as recorded at the new one`]
      : []),
    ...(inNeither > 0 ? [`  ${count(inNeither)} missing at both`] : []),
    ...(unproven > 0 ? [`  ${count(unproven)} not proven to be the same`] : []),
    ...notes.slice(0, maxShown).map(({ path, note }) => `  ! ${visible(path)}: ${visible(note)}`),
    ...(more > 0 ? [`  ! and ${count(more)} more`] : []),
  ]
}
