import type { AddSummary } from '../../workflows/fixity/recording/add-counts.ts'
import { bytes, count, plural, visible } from '../output/text.ts'
import { listedBySentence } from './inventory.ts'

/** True if something explains the counts. */
export const hasNotes = ({ notes, notThere }: AddSummary): boolean => notes.length + notThere.length > 0

/** Lines of each list; a pipe has all. */
const maxShown = 20

const listed = <One>(
  mark: string,
  what: string,
  all: readonly One[],
  leftOut: number,
  lineOf: (one: One) => string,
): readonly string[] => {
  const more = all.length + leftOut - maxShown
  return [
    ...all.slice(0, maxShown).map((one) => `  ${mark} ${lineOf(one)}`),
    ...(more > 0 ? [`  ${mark} and ${count(more)} more ${what} (all of them in a pipe)`] : []),
  ]
}

/** The summary in sentences. */
export const summaryLines = (summary: AddSummary): string[] => [
  `Store ${summary.store} (${visible(summary.root)})`,
  ...(summary.inventory ? [`  ${listedBySentence(summary.inventory)}`] : []),
  `  ${count(summary.recorded)} recorded from manifests`,
  `  ${count(summary.baseline)} recorded from a first reading (${bytes(summary.bytesRead)})`,
  ...(summary.unusable > 0
    ? [`  ${count(summary.unusable)} of them with checksums that nothing can be compared with`]
    : []),
  ...(summary.bags.complete > 0
    ? [`  ${plural(summary.bags.complete, 'bag is', 'bags are')} complete: the check tells what is valid`]
    : []),
  ...(summary.bags.incomplete > 0
    ? [`  ${plural(summary.bags.incomplete, 'bag is', 'bags are')} not as RFC 8493 wants`]
    : []),
  ...(summary.known > 0 ? [`  ${count(summary.known)} known already`] : []),
  ...(summary.excluded > 0 ? [`  ${count(summary.excluded)} excluded`] : []),
  ...(summary.moved > 0
    ? [`  ${count(summary.moved)} moved: --accept-moves takes the old names out of what is expected`]
    : []),
  ...(summary.acceptedMoves > 0
    ? [`  ${count(summary.acceptedMoves)} moved: the old names are expected no more`]
    : []),
  ...(summary.missing > 0 ? [`  ${count(summary.missing)} in a manifest but not there`] : []),
  ...(summary.absent > 0 ? [`  ${count(summary.absent)} recorded before and not there`] : []),
  ...(summary.unreadable > 0 ? [`  ${count(summary.unreadable)} could not be read`] : []),
  ...(summary.vanished
    ? [`  ${count(summary.vanished)} in the inventory, and gone since: not recorded`]
    : []),
  ...(summary.unlisted > 0
    ? [
        `  ${plural(summary.unlisted, 'thing')} could not be examined, and may be or hold content that is not recorded`,
      ]
    : []),
  ...listed(
    '!',
    'notes',
    summary.notes,
    summary.notesLeftOut,
    ({ path, note: text }) => `${visible(path)}: ${visible(text)}`,
  ),
  ...listed(
    '-',
    'in a manifest but not there',
    summary.notThere,
    summary.notThereLeftOut,
    ({ path, from, note: text }) => `${visible(path)}, named in ${visible(from)}: ${visible(text)}`,
  ),
]
