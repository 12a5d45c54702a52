import { useRef } from 'preact/hooks'
import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import { addressOf, questionAt } from '../../api/client.ts'
import type { Past } from '../../api/past.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { Download } from '../../parts/download.tsx'
import { Name } from '../../parts/name.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import { AsOf } from '../../parts/time.tsx'
import { plural } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { useNamed } from '../../shell/named.ts'
import { clock, secondsBefore } from './clock.ts'
import { FindingList } from './finding-list.tsx'
import { Gaps } from './gaps.tsx'
import { ParkedOf } from './parked.tsx'
import { type Place, placeKey, type Timeline } from './place.ts'
import { Player } from './player.tsx'
import './research.css'
import { ResearchMenu } from './research-menu.tsx'
import { Track } from './track.tsx'
import { Verdict } from './verdict.tsx'

/** An episode: what was found where, heard and judged. */
const Episode = ({ values: { episode = '' } }: PageProps) => {
  const asked = useAnswer('/api/v1/research/episodes/{episode}/timeline', { path: { episode } })
  const title = asked.answered?.data.title || undefined
  useNamed(title)
  return (
    <>
      <h1>
        <Name text={title ?? `Episode ${episode}`} />
      </h1>
      <ResearchMenu />
      <ParkedOf episode={episode} />
      <Answer of={asked}>
        {(timeline, at) => (
          <>
            <Heard timeline={timeline} />
            <AsOf at={at} />
          </>
        )}
      </Answer>
      <p>
        <HistoryLink id={episode} /> <ProveThing id={episode} />
      </p>
    </>
  )
}

const Heard = ({ timeline }: { readonly timeline: Timeline }) => {
  const address = useAddress()
  const past = usePast()
  const player = useRef<HTMLAudioElement>(null)
  const { episode, duration, occurrences, silent } = timeline
  const at = occurrences.findIndex((one) => placeKey(one) === address.query.get('place'))
  const chosen = occurrences[at]
  const play = (place: Place) => {
    go(changed(address, { place: placeKey(place) }), { replace: true })
    const audio = player.current
    if (!audio) return
    audio.currentTime = secondsBefore(place.offset)
    // Refused where the sound cannot be had: the player says why.
    audio.play().catch(() => {})
  }
  const step = (by: number) => {
    const next = occurrences[at === -1 ? 0 : at + by]
    if (next) play(next)
  }
  return (
    <>
      <p>
        <Name text={episode} isWhole />: {clock(duration)}, {plural(occurrences.length, 'place')} found
      </p>
      <Gaps gaps={timeline.gaps} />
      {silent && (
        <p class="trouble">
          This episode is silent: no channel has any sound, so nothing can be found in it. See whether its
          recording is the right one.
        </p>
      )}
      <Player
        audio={player}
        says="The episode"
        address={addressOf('/api/v1/research/episodes/{episode}/media', { episode })}
      />
      <Track timeline={timeline} chosen={chosen} onPlay={play} />
      {occurrences.length > 0 && (
        <div class="buttons">
          <button type="button" disabled={at <= 0} onClick={() => step(-1)}>
            Previous
          </button>
          <button type="button" disabled={at === occurrences.length - 1} onClick={() => step(1)}>
            Next
          </button>
        </div>
      )}
      {chosen && <Verdict key={placeKey(chosen)} place={chosen} />}
      <FindingList occurrences={occurrences} chosen={chosen} onPlay={play} />
      <div class="buttons">
        <Download address={timelineOf(episode, past)} type="text/csv" name="findings.csv">
          As a table (CSV)
        </Download>
        <Download address={timelineOf(episode, past)} type="text/plain" name="labels.txt">
          As labels for Audacity
        </Download>
      </div>
    </>
  )
}

const timelineOf = (episode: string, past: Past | undefined): string =>
  questionAt('/api/v1/research/episodes/{episode}/timeline', { path: { episode } }, past)

export default Episode
