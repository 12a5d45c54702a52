import { Link } from '../../address/use-address.tsx'
import type { Answer } from '../../api/client.ts'
import { Table } from '../../parts/table.tsx'
import { count } from '../../parts/words.ts'
import { filesAt } from './addresses.ts'
import { FileState } from './file-state.tsx'

type Lines = Answer<'/api/v1/indexing/ages'>['ages']

/** For how long files have not been in the index, a row a state. */
export const Ages = ({ ages }: { readonly ages: Lines }) => {
  const spans = [...new Map(ages.map(({ fromHours, toHours }) => [fromHours, toHours])).entries()].sort(
    ([a], [b]) => a - b,
  )
  const states = [...new Set(ages.map(({ state }) => state))]
  const filesOf = (state: string, from: number): number =>
    ages.find((line) => line.state === state && line.fromHours === from)?.files ?? 0
  return (
    <Table
      caption="Not in the index, and for how long"
      none="No file waits to be in the index."
      rows={states}
      keyOf={(state) => state}
      columns={[
        {
          title: 'State',
          cell: (state) => (
            <Link to={filesAt({ state })}>
              <FileState state={state} />
            </Link>
          ),
        },
        ...spans.map(([from, to]) => ({
          title: inWords(from, to),
          isNumber: true,
          cell: (state: string) => count(filesOf(state, from)),
        })),
      ]}
    />
  )
}

const inWords = (from: number, to: number | null): string =>
  to === null
    ? `${hours(from)} or longer`
    : from === 0
      ? `less than ${hours(to)}`
      : `${hours(from)} to ${hours(to)}`

const hours = (n: number): string =>
  n < 24 ? `${n === 1 ? 'an hour' : `${n} hours`}` : n === 24 ? 'a day' : `${count(n / 24)} days`
