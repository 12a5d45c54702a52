import { changed } from '../../address/address.ts'
import { go, Link, useAddress } from '../../address/use-address.tsx'
import { streamAt } from './event-list.tsx'

/** Which events are shown. All of it stands in the address. */
export const Filter = () => {
  const address = useAddress()
  const { query } = address
  const isLive = query.has('live')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    const names = (field: string) =>
      String(asked.get(field))
        .split(/[\s,]+/)
        .filter((name) => name !== '')
    const stream = String(asked.get('stream')).trim()
    if (stream !== '') go(streamAt(stream))
    else
      go(
        changed(address, {
          category: names('category'),
          type: names('type'),
          from: undefined,
          before: undefined,
        }),
      )
  }
  return (
    <form class="row" onSubmit={submit} key={String(query)}>
      <label>
        Categories
        <input
          name="category"
          defaultValue={query.getAll('category').join(' ')}
          placeholder="fixity ingestjob"
        />
      </label>
      <label>
        Types
        <input name="type" defaultValue={query.getAll('type').join(' ')} placeholder="FileIndexed" />
      </label>
      <label>
        One stream
        <input name="stream" placeholder="category-id" />
      </label>
      <button type="submit">Show</button>
      <Link to={changed(address, { live: isLive ? undefined : '1', from: undefined, before: undefined })}>
        {isLive ? 'Browse' : 'Follow live'}
      </Link>
    </form>
  )
}
