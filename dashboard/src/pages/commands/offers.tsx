import { type Answered, addressOf, answered } from '../../api/client.ts'
import { useAsked } from '../../api/use-answer.ts'
import type { Offer } from './fields.ts'

/** Most that are offered; whatever is typed is taken all the same. */
const most = 200

/** A view and the column of it that names what exists. */
type Ask = readonly [view: string, column: string]

const asks: Readonly<Record<Offer, Ask>> = {
  stores: ['fixity-stores', 'store'],
  collections: ['ingest-profiles', 'collection'],
  profiles: ['ingest-profiles', 'profile'],
  repositories: ['indexing-counts', 'repository'],
  batches: ['ingest-batches', 'number'],
  episodes: ['research-episodes', 'episode'],
  clips: ['research-clips', 'clip'],
}

const existing = async ([view, column]: Ask, signal: AbortSignal): Promise<Answered<readonly string[]>> => {
  const response = await answered(addressOf('/api/v1/views/{view}', { view }, { limit: most }), { signal })
  const { rows } = (await response.json()) as { readonly rows: readonly Readonly<Record<string, unknown>>[] }
  const values = rows.map((row) => row[column]).filter((one) => one !== null && one !== undefined)
  return { data: [...new Set(values.map(String))], at: new Date() }
}

/** What exists now, for a field to choose from. */
export const Offers = ({ of, id }: { readonly of: Offer; readonly id: string }) => {
  const { answered: known } = useAsked((signal) => existing(asks[of], signal), `offers ${of}`)
  return (
    <datalist id={id}>
      {(known?.data ?? []).map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  )
}
