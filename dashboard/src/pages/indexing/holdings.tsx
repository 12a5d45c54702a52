import { go, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Bars } from '../../parts/bars.tsx'
import { visible } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count, plural } from '../../parts/words.ts'
import { IndexingMenu } from './menu.tsx'

type Lines = AnswerOf<'/api/v1/indexing/holdings'>['holdings']

/** What the index holds, by year and type: of all, or of one host. */
const Holdings = () => {
  const { query } = useAddress()
  const within = query.get('within') ?? ''
  const asked = { by: 'year,type', limit: 10_000, ...(within !== '' && { within }) }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('within')).trim()
    go(typed === '' ? '/indexing/holdings' : `/indexing/holdings?${new URLSearchParams({ within: typed })}`)
  }
  return (
    <>
      <h1>Holdings</h1>
      <IndexingMenu />
      <form class="row" onSubmit={submit} key={within}>
        <label>
          Of one host, and hosts beneath
          <input name="within" defaultValue={within} placeholder="all" />
        </label>
        <button type="submit">Show</button>
      </form>
      <Answer of={useAnswer('/api/v1/indexing/holdings', { query: asked })}>
        {({ holdings, captures, isCut }, at) => (
          <>
            <p>
              <strong>{plural(captures, 'capture')}</strong> counted. <AsOf at={at} />
              {isCut && (
                <>
                  {' '}
                  There are more: one question looks at so many lines. Ask for one host, to count all of it.
                </>
              )}
            </p>
            <Matrix lines={holdings} />
          </>
        )}
      </Answer>
    </>
  )
}

/** Types that have a column each; the rest share one. */
const maxTypes = 10

const Matrix = ({ lines }: { readonly lines: Lines }) => {
  const sumOf = (isWanted: (line: Lines[number]) => boolean): number =>
    lines.filter(isWanted).reduce((sum, { captures }) => sum + captures, 0)
  const all = [...new Set(lines.flatMap(({ type }) => type ?? []))]
  const types = all
    .toSorted((a, b) => sumOf(({ type }) => type === b) - sumOf(({ type }) => type === a))
    .slice(0, maxTypes)
  const years = [...new Set(lines.map(({ year }) => year ?? 'others'))].sort()
  const ofYear = (year: string) => (line: Lines[number]) => (line.year ?? 'others') === year
  const isRest = ({ type }: Lines[number]) => type === null || !types.includes(type)
  const hasRest = lines.some(isRest)
  return (
    <>
      {years.length > 1 && (
        <Bars
          says="Captures a year"
          bars={years.map((year) => ({ label: year, value: sumOf(ofYear(year)) }))}
        />
      )}
      <Table
        caption="Captures by year and type"
        none="Nothing is in the index."
        rows={years}
        keyOf={(year) => year}
        columns={[
          { title: 'Year', cell: (year) => year },
          { title: 'All', isNumber: true, cell: (year) => count(sumOf(ofYear(year))) },
          ...types.map((type) => ({
            title: visible(type === '-' ? 'no type' : type),
            isNumber: true,
            cell: (year: string) => count(sumOf((line) => ofYear(year)(line) && line.type === type)),
          })),
          ...(hasRest
            ? [
                {
                  title: 'other types',
                  isNumber: true,
                  cell: (year: string) => count(sumOf((line) => ofYear(year)(line) && isRest(line))),
                },
              ]
            : []),
        ]}
      />
    </>
  )
}

export default Holdings
