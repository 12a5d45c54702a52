import type { Loss } from '../../../domain/indexing/outcome.ts'
import type { files } from '../../../domain/indexing/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { isEmbargoed } from '../../../domain/kernel/embargo.ts'
import { shellWord } from '../../../domain/kernel/shell-word.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import type { IndexPlace } from '../../../ports/capture-index.ts'
import type { WhyFile } from './answers.ts'
import { isDamaged, rescueCommand, salvageCommand } from './what-helps.ts'

type FileRow = RowOf<typeof files>

/**
 * Whether a file's content can be found, since when, and if not, why not. `place`: absent if the question is about the
 * past.
 */
export const whyOf = (row: FileRow, now: string, place?: IndexPlace): WhyFile => {
  const { repository, name, state, lines, indexedAt, unpublishedSince } = row
  const delay = state === 'indexed' && place ? whyNotYet(row, place) : undefined
  const embargoUntil = isEmbargoed(row.embargoUntil, now) ? row.embargoUntil : null
  const findable = state === 'indexed' && delay === undefined && embargoUntil === null
  return {
    repository,
    name,
    state,
    findable,
    salvaged: row.salvaged === 1,
    // When an embargo began is in its history.
    since: embargoUntil !== null ? null : state === 'indexed' ? indexedAt : unpublishedSince,
    lines,
    embargoUntil,
    reasons: [
      ...(embargoUntil === null ? [] : [heldBack(row, embargoUntil)]),
      ...(delay === undefined ? reasonsOf(row, now) : [delay]),
      ...besides(row),
    ],
  }
}

const heldBack = ({ repository, name }: FileRow, until: string): string =>
  `an embargo holds until ${until} (UTC), that day included: nothing of it is shown; \`fonds do indexing.lift-embargo repository=${repository} name=${shellWord(name)}\` ends it`

/** The reason why the index does not have the lines of a file that was read whole. */
const whyNotYet = ({ position, lines }: FileRow, place: IndexPlace): string | undefined => {
  if (position === null) return undefined
  if (place.mismatch !== undefined) return place.mismatch
  return place.reached < BigInt(position)
    ? `${plural(lines ?? 0, 'line')} of it ${lines === 1 ? 'waits' : 'wait'} for the aggregator: does \`fonds start\`, or a \`fonds worker aggregator\`, run?`
    : undefined
}

const reasonsOf = (row: FileRow, now: string): readonly string[] => {
  switch (row.state) {
    case 'indexed':
      return [
        row.lines === null
          ? `it was in the index before it was known here, since ${row.indexedAt}: others wrote its lines`
          : `${plural(row.lines, 'line')} of it ${row.lines === 1 ? 'is' : 'are'} in the index since ${row.indexedAt}`,
      ]
    case 'indexing':
      return [`${row.holder} reads it now; its claim holds until ${row.heldUntil}`]
    case 'new':
      return [waiting(row, now)]
    case 'changed':
      return [
        'it is not what it was when it was indexed, or is to be indexed anew',
        waiting(row, now),
        ...(row.lines ? [`until then, ${plural(row.lines, 'line')} of it as it was can be found`] : []),
      ]
    case 'failed':
      return [failure(row), row.due === null ? absent : waiting(row, now), ...salvage(row)]
    case 'parked':
      return [
        row.failures > 0 ? failure(row) : `a person parked it: ${row.because}`,
        `it waits for a person: \`${rescueCommand(row)}\` has it tried again`,
        ...salvage(row),
      ]
    case 'withdrawn':
      return [
        `it was withdrawn${row.because === null ? '' : `: ${row.because}`}`,
        `\`fonds do indexing.reset repository=${row.repository} name=${shellWord(row.name)}\` brings it back`,
      ]
    case 'unknown':
      return [
        `its name does not say what it is: \`fonds do indexing.reset repository=${row.repository} name=${shellWord(row.name)} kind=content\` says so`,
      ]
  }
}

const waiting = ({ due }: FileRow, now: string): string =>
  due === null
    ? 'nothing is due'
    : due > now
      ? `it is read from ${due} on, when it has stood still for long enough, or after a pause`
      : `it is in the queue since ${due}: does \`fonds start\`, or a \`fonds worker indexer\`, run?`

const absent = 'it is read again when a list shows it again'

const failure = ({ failures, code, because, offset }: FileRow): string =>
  `${plural(failures, 'attempt')} failed, the last one as ${code}: ${because}${offset === null ? '' : ` (at byte ${offset})`}`

const salvage = (row: FileRow): readonly string[] =>
  isDamaged(row) ? [`\`${salvageCommand(row)}\` has those of its records indexed that are whole`] : []

const shownPlaces = 20

/** The losses, as the report of the salvage has them. */
const losses = ({ bytes: lost, places, lost: ranges }: Loss): readonly string[] => [
  `it is damaged and was salvaged: ${plural(lost, 'byte')} in ${plural(places, 'place')} are lost, and what they held cannot be found`,
  ...ranges
    .slice(0, shownPlaces)
    .map(({ from, to, reason }) => `bytes ${from} to ${to - 1} are lost: ${reason}`),
  ...(places > shownPlaces ? ['the event FileIndexed of its history has more of these places'] : []),
]

const besides = ({ conflict, loss, warnings, folded, because, code }: FileRow): readonly string[] => [
  ...(folded.losses > 0 && code !== 'lost'
    ? [`before, the index could not take its lines: ${plural(folded.losses, 'time')} in a row`]
    : []),
  ...(loss ? losses(loss) : []),
  ...warnings,
  ...(conflict === 1
    ? folded.copies
        .filter(({ verdict }) => verdict === 'different')
        .map(({ place }) => `${place.location} has the same name and other contents: ${because}`)
    : []),
]
