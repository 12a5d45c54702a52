import { LongList } from '../../parts/long-list.tsx'
import { Name } from '../../parts/name.tsx'
import { findingsAt } from './addresses.ts'
import { clock } from './clock.ts'
import { type Place, placeKey } from './place.ts'

interface FindingListProps {
  readonly occurrences: readonly Place[]
  readonly chosen: Place | undefined
  readonly onPlay: (place: Place) => void
}

/** All places, in their order. */
export const FindingList = ({ occurrences, chosen, onPlay }: FindingListProps) =>
  occurrences.length === 0 ? null : (
    <LongList
      caption="Findings, by place"
      rows={occurrences}
      keyOf={placeKey}
      columns={[
        {
          title: 'At',
          cell: (place) => (
            <button type="button" class="small" aria-pressed={place === chosen} onClick={() => onPlay(place)}>
              Play {clock(place.offset)}
            </button>
          ),
        },
        {
          title: 'Clip',
          cell: ({ clip, clipTitle }) => <Name text={clipTitle} to={findingsAt(clip)} />,
        },
        { title: 'Score', cell: ({ score }) => score.toFixed(3) },
        {
          title: 'Also claimed by',
          cell: ({ rival }) =>
            rival === undefined ? <span class="why">nothing</span> : <Name text={rival} />,
        },
        {
          title: 'Verdict',
          cell: ({ verdict }) => verdict ?? <span class="why">none yet</span>,
        },
      ]}
    />
  )
