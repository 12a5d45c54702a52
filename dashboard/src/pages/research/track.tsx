import { visible } from '../../parts/name.tsx'
import { count } from '../../parts/words.ts'
import { clock } from './clock.ts'
import { type Place, placeKey, type Timeline } from './place.ts'

interface TrackProps {
  readonly timeline: Timeline
  readonly chosen: Place | undefined
  readonly onPlay: (place: Place) => void
}

/** Marks drawn; of more, none could be told from the next. All are in the list. */
const maxMarks = 500

/** The findings along the episode: each is a button that plays it. */
export const Track = ({ timeline: { occurrences, duration }, chosen, onPlay }: TrackProps) => {
  if (duration === 0 || occurrences.length === 0) return <p class="none">Nothing was found in it so far.</p>
  const share = (nanos: number) => `${Math.min(100, (100 * nanos) / duration)}%`
  return (
    <>
      <ol class="track" aria-label={`Findings, from ${clock(0)} to ${clock(duration)}`}>
        {occurrences.slice(0, maxMarks).map((place) => (
          <li key={placeKey(place)} style={{ left: share(place.offset), width: share(place.duration) }}>
            <button
              type="button"
              class={place.verdict ?? 'open'}
              aria-pressed={place === chosen}
              aria-label={visible(`${place.clipTitle} at ${clock(place.offset)}`)}
              title={visible(`${place.clipTitle} at ${clock(place.offset)}`)}
              onClick={() => onPlay(place)}
            />
          </li>
        ))}
      </ol>
      {occurrences.length > maxMarks && (
        <p class="why">The first {count(maxMarks)} are marked; the list has all.</p>
      )}
    </>
  )
}
