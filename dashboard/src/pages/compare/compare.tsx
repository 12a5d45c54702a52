import { changed } from '../../address/address.ts'
import { go, Link, useAddress } from '../../address/use-address.tsx'
import { usePast } from '../../api/use-past.ts'
import { Name } from '../../parts/name.tsx'
import { endOfSecond, isMoment, isPosition } from '../../shell/time-machine/moment.ts'
import { AllViews } from './all-views.tsx'
import { OneView } from './one-view.tsx'
import { momentWords } from './words.ts'

/** What is not the same at two moments; `?since=…&at=…`, of one view `&view=…`, from one of its rows on `&after=…`. */
const Compare = () => {
  const address = useAddress()
  const { query } = address
  const past = usePast()
  const since = query.get('since') ?? ''
  const view = query.get('view') ?? ''
  return (
    <>
      <h1>Two moments compared</h1>
      <p>
        The later one is {past ? `the moment that is shown, ${momentWords(past.at)}` : 'now'}: the time
        machine above chooses another.
      </p>
      <Since since={since} />
      {since === '' ? (
        <p class="none">Say since when.</p>
      ) : !isMoment(since) ? (
        <p class="trouble" role="status">
          since=
          <Name text={since} />: that is no moment. Write a position of the log (<code>since=1042</code>) or a
          time with its zone (<code>since=2026-01-31T12:00:00Z</code>).
        </p>
      ) : view === '' ? (
        <AllViews between={{ since, until: past?.at }} />
      ) : (
        <>
          <p>
            <Link to={changed(address, { view: undefined, after: undefined })}>All views</Link>
          </p>
          <OneView view={view} between={{ since, until: past?.at }} />
        </>
      )}
    </>
  )
}

const Since = ({ since }: { readonly since: string }) => {
  const address = useAddress()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    const chosen = String(asked.get('position')).trim() || endOfSecond(String(asked.get('time')))
    if (chosen) go(changed(address, { since: chosen, after: undefined }))
  }
  return (
    <form class="row" onSubmit={submit} key={since}>
      <label>
        Since: date and time
        <input name="time" type="datetime-local" step={1} />
      </label>
      <label>
        or number of an event
        <input
          name="position"
          inputMode="numeric"
          pattern="[0-9]{1,18}"
          size={10}
          autocomplete="off"
          defaultValue={isPosition(since) ? since : ''}
        />
      </label>
      <button type="submit">Compare</button>
      {isMoment(since) && <span>Since {momentWords(since)}.</span>}
    </form>
  )
}

export default Compare
