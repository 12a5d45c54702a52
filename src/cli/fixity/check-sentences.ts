import { count, plural, visible } from '../output/text.ts'
import { costSentence } from './bucket-costs.ts'
import type { CheckSummary } from './check.ts'
import { heldBackSentence } from './held-back.ts'
import { listedBySentence } from './inventory.ts'
import { wrongLines } from './wrong-items.ts'

const maxShown = 20

/** Summarises a check for people. */
export const checkSentences = (summary: CheckSummary): readonly string[] => [
  `${plural(summary.checked, 'item')} checked: ${count(summary.verified)} verified, ` +
    `${count(summary.baselined)} baselined, ${count(summary.failed)} failed, ` +
    `${count(summary.unverified)} unverified`,
  ...wrongLines(summary),
  ...(summary.unread > 0
    ? [
        `${plural(summary.unread, 'item is', 'items are')} archived and not read: the records agree with what the storage reports. \`fonds fixity restore\` has the bytes made readable`,
      ]
    : []),
  ...(summary.accepted + summary.lost > 0
    ? [
        `${count(summary.accepted)} as a person accepted them, ${count(summary.lost)} as lost as a person declared them`,
      ]
    : []),
  ...(summary.suspect > 0
    ? [`${plural(summary.suspect, 'item')} suspect: found otherwise than recorded, and looked at again`]
    : []),
  ...(summary.links > 0
    ? [
        `${plural(summary.links, 'item was a file and is', 'items were files and are')} behind a symbolic link now: ` +
          '`fonds query fixity-items --where link=1`',
      ]
    : []),
  ...(summary.unusable > 0
    ? [
        `${plural(summary.unusable, 'item')} with recorded checksums that nothing can be compared with: ` +
          "`fonds query fixity-items --where 'unusable>0'`",
      ]
    : []),
  ...(summary.parked > 0
    ? [`${plural(summary.parked, 'item')} could not be checked three times: mend the cause, then check again`]
    : []),
  ...(summary.inventory ? [`New and missing items: ${listedBySentence(summary.inventory)}`] : []),
  ...(summary.new > 0
    ? [`${plural(summary.new, 'file is', 'files are')} new: \`fonds fixity add\` records what is there`]
    : []),
  ...(summary.missing > 0
    ? [`${plural(summary.missing, 'recorded item is', 'recorded items are')} not there`]
    : []),
  ...(summary.moved > 0
    ? [
        `${count(summary.moved)} of them moved, as it seems: \`fonds fixity add --accept-moves\` records the new names, and expects the old ones no more`,
      ]
    : []),
  ...(summary.bags
    ? [
        `Bags: ${count(summary.bags.valid)} valid, ${count(summary.bags.notValid)} not valid, ${count(summary.bags.notProven)} not proven: \`fonds fixity bags\` says why`,
      ]
    : []),
  ...(summary.excluded > 0 ? [`${plural(summary.excluded, 'file is', 'files are')} excluded`] : []),
  ...(summary.unlisted > 0
    ? [
        `${plural(summary.unlisted, 'thing')} could not be listed, and may be or hold content that is not recorded`,
      ]
    : []),
  ...summary.notes.slice(0, maxShown).map(({ path, note }) => `  ! ${visible(path)}: ${visible(note)}`),
  ...(summary.notes.length + summary.notesLeftOut > maxShown
    ? [
        `  ! and ${count(summary.notes.length + summary.notesLeftOut - maxShown)} more notes (all of them in a pipe)`,
      ]
    : []),
  ...summary.away.map(
    ({ store, since, why, items }) =>
      `Store ${store} is away since ${since}: ${visible(why)}. ${plural(items, 'item is', 'items are')} not checked; nothing is said of them`,
  ),
  ...summary.heldBack.map(heldBackSentence),
  ...(summary.waiting > 0
    ? [
        `${plural(summary.waiting, 'item')} differ from their record, which may be on its way: the last look is due ` +
          `${summary.waitingUntil}. \`fonds start\` takes it, or \`fonds fixity check --wait\``,
      ]
    : []),
  ...(summary.buckets ? [costSentence(summary.buckets, summary.estimated)] : []),
]
