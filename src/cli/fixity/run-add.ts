import { recordingBucketUse } from '../../workflows/fixity/record-bucket-use.ts'
import type { AddSummary } from '../../workflows/fixity/recording/add-counts.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural } from '../output/text.ts'
import { type AddOptions, addFolder } from './add.ts'
import { hasNotes, summaryLines } from './add-summary.ts'
import { withInventory } from './inventory.ts'

interface AddFlags extends Omit<AddOptions, 'inventory'> {
  /** Address or path of the manifest of an inventory. */
  readonly inventory?: string
}

export const run = async (
  session: Session,
  folder: string,
  { inventory: manifest, ...options }: AddFlags,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  // A view that cannot be folded is reported at once: the work would wait for it in vain.
  await freshViews(session, system)
  const summary = await withInventory(session, system, { root: folder, manifest }, async (inventory) => {
    const progress = session.progress('Recording')
    const added = await recordingBucketUse(system, () =>
      addFolder(
        system,
        folder,
        { ...options, inventory },
        ({ items }) => progress.advance(items),
        session.signal,
      ),
    )
    progress.done()
    return added
  })
  const { output } = session
  await output.write(output.isTTY ? `${summaryLines(summary).join('\n')}\n` : `${jsonText(summary)}\n`)
  if (output.isTTY)
    session.say(
      `Next: \`fonds fixity check ${summary.store}\` reads every byte; \`fonds start\` keeps checking.`,
    )
  const wrong = whatWasWrong(summary)
  return wrong.length === 0
    ? undefined
    : refused(
        summary.unlisted > 0
          ? `not all was recorded: ${wrong.join(', ')}`
          : `all was recorded, but ${wrong.join(', ')}`,
        hasNotes(summary) ? 'the notes above say which, and why' : undefined,
      )
}

const whatWasWrong = (summary: AddSummary): readonly string[] => {
  const { problems, bags, unusable, missing, absent, moved, unreadable, unlisted } = summary
  const problemCounts: readonly (readonly [amount: number, one: string, many: string])[] = [
    [problems, 'thing is wrong with manifests and bags', 'things are wrong with manifests and bags'],
    [bags.incomplete, 'bag is not as RFC 8493 wants it', 'bags are not as RFC 8493 wants them'],
    [
      unusable,
      'item has recorded checksums that cannot be used',
      'items have recorded checksums that cannot be used',
    ],
    [missing, 'item is in a manifest and not there', 'items are in a manifest and not there'],
    [absent, 'item was recorded before and is not there', 'items were recorded before and are not there'],
    [moved, 'item seems to have moved', 'items seem to have moved'],
    [unreadable, 'item could not be read', 'items could not be read'],
    [
      unlisted,
      'thing could not be examined, and is not recorded',
      'things could not be examined, and are not recorded',
    ],
  ]
  return problemCounts.filter(([amount]) => amount > 0).map((one) => plural(...one))
}
