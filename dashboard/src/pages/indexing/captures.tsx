import { changed } from '../../address/address.ts'
import { go, Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { listed } from '../../api/view-rows.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count, plural } from '../../parts/words.ts'
import { Legend, Year } from './calendar.tsx'
import { CaptureTable } from './capture-table.tsx'
import { IndexingMenu } from './menu.tsx'
import { Reasons } from './reasons.tsx'

type Captures = AnswerOf<'/api/v1/indexing/captures'>

const matches = {
  exact: 'that URL alone',
  prefix: 'all that begin so',
  host: 'all of its host',
  domain: 'its host, and hosts beneath',
} as const
type Match = keyof typeof matches

const isMatch = (text: string | null): text is Match => text !== null && Object.hasOwn(matches, text)

/** The captures of a URL as a calendar. URL, year and day stand in the address. */
const CapturesPage = () => {
  const { query } = useAddress()
  const url = query.get('url') ?? ''
  const asked = query.get('match')
  const match = isMatch(asked) ? asked : 'exact'
  return (
    <>
      <h1>Captures</h1>
      <IndexingMenu />
      <Search url={url} match={match} />
      <SavedViews />
      {url === '' ? (
        <p>A URL, as it was harvested or as people type it: its captures are shown by year, month and day.</p>
      ) : (
        <Found key={`${url} ${match}`} url={url} match={match} />
      )}
    </>
  )
}

interface Scope {
  readonly url: string
  readonly match: Match
}

const Search = ({ url, match }: Scope) => {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    const wanted = { url: String(asked.get('url')).trim(), match: String(asked.get('match')) }
    go(`/indexing/captures?${new URLSearchParams(wanted)}`)
  }
  return (
    <form class="row" onSubmit={submit} key={`${url} ${match}`}>
      <label>
        URL
        <input name="url" defaultValue={url} required size={40} placeholder="example.org/" />
      </label>
      <label>
        Which
        <select name="match">
          {Object.entries(matches).map(([value, says]) => (
            <option key={value} value={value} selected={value === match}>
              {says}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  )
}

/** The list beneath the calendar is asked for by itself. */
const noList = 1

const Found = ({ url, match }: Scope) => (
  <Answer of={useAnswer('/api/v1/indexing/captures', { query: { url, match, limit: noList } })}>
    {(captures, at) => (
      <>
        <p>
          <strong>
            {captures.isCut && 'At least '}
            {plural(captures.total, 'capture')} on {plural(captures.days.length, 'day')}
          </strong>
          , under the key <Name text={captures.key} isWhole />. <AsOf at={at} />
        </p>
        {captures.total === 0 ? <Why url={url} /> : <Calendar captures={captures} match={match} />}
      </>
    )}
  </Answer>
)

/** Where nothing is found: what is known about that. */
const Why = ({ url }: { readonly url: string }) => (
  <Answer of={useAnswer('/api/v1/indexing/why', { query: { of: url.includes('/') ? url : `${url}/` } })}>
    {({ reasons }) => <Reasons reasons={reasons} />}
  </Answer>
)

const Calendar = ({ captures, match }: { readonly captures: Captures; readonly match: Match }) => {
  const address = useAddress()
  const { days, url } = captures
  const day = address.query.get('day') ?? undefined
  const years = Map.groupBy(days, (one) => one.day.slice(0, 4))
  const newest = days.at(-1)?.day.slice(0, 4)
  const year = address.query.get('year') ?? day?.slice(0, 4) ?? newest ?? ''
  return (
    <>
      <nav aria-label="Years with captures">
        <ul>
          {[...years].map(([one, counted]) => (
            <li key={one}>
              <Link to={changed(address, { year: one, day: undefined })} current={one === year}>
                {one}: {count(counted.reduce((sum, { captures: n }) => sum + n, 0))}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Year
        year={Number(year)}
        days={new Map((years.get(year) ?? []).map((one) => [one.day, one]))}
        chosen={day}
        linkTo={(one) => changed(address, { year, day: one })}
      />
      <Legend />
      {day !== undefined && <OfDay url={url} match={match} day={day} replay={captures.replay} />}
    </>
  )
}

interface OfDayProps extends Scope {
  readonly day: string
  readonly replay: string | null
}

const OfDay = ({ url, match, day, replay }: OfDayProps) => {
  const caption = `Captures of ${day} (UTC)`
  return (
    <Paged
      name={day}
      caption={caption}
      ask={(page, signal) => {
        const query = { url, match, from: day, to: day, ...page }
        return listed('captures', get('/api/v1/indexing/captures', { query }, signal))
      }}
    >
      {({ rows }) => <CaptureTable caption={caption} captures={rows} replay={replay} />}
    </Paged>
  )
}

export default CapturesPage
