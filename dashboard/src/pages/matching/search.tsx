import { changed } from '../../address/address.ts'
import { go, Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Numbers } from '../../parts/numbers.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import type { Rows } from '../../parts/use-window.ts'
import { count, plural } from '../../parts/words.ts'
import { graphAt } from './addresses.ts'
import { MatchingMenu } from './matching-menu.tsx'
import { Work } from './work.tsx'

/** Finds a record; without a question, what there is. */
const Search = () => {
  const address = useAddress()
  const text = address.query.get('q')?.trim() ?? ''
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    go(changed(address, { q: String(new FormData(event.currentTarget as HTMLFormElement).get('q')) }))
  }
  return (
    <>
      <h1>Matching</h1>
      <MatchingMenu />
      <search>
        <form class="row" onSubmit={submit} key={text}>
          <label>
            An id, its beginning, or words of a title
            <input name="q" type="search" size={24} defaultValue={text} autocomplete="off" />
          </label>
          <button type="submit">Search</button>
        </form>
      </search>
      {text === '' ? <Summary /> : <Found text={text} />}
    </>
  )
}

type FoundWorks = AnswerOf<'/api/v1/matching/search'> & Rows<FoundWork>
type FoundWork = AnswerOf<'/api/v1/matching/search'>['works'][number]

const Found = ({ text }: { readonly text: string }) => (
  <Paged<FoundWorks>
    name={text}
    caption="Records that were found"
    ask={async (page, signal) => {
      const { data, at } = await get('/api/v1/matching/search', { query: { text, ...page } }, signal)
      return { data: { ...data, rows: data.works }, at }
    }}
  >
    {({ rows, total, isWhole }) => (
      <>
        <Table
          caption={`Records that were found, ${count(total)} of them`}
          none="No id begins with this, and no title has all of these words."
          rows={rows}
          keyOf={({ work }) => work}
          columns={[
            { title: 'Record', cell: ({ work }) => <Name text={work} to={graphAt(work)} /> },
            {
              title: 'Title',
              cell: ({ title }) => (title === null ? <span class="why">none</span> : <Name text={title} />),
            },
            {
              title: 'Source',
              cell: ({ source }) =>
                source === null ? <span class="why">none</span> : <Name text={source} />,
            },
            {
              title: 'Is',
              cell: ({ state }) => (state === 'placeholder' ? 'named by others, never described' : state),
            },
          ]}
        />
        {!isWhole && <p class="why">There may be more: a million titles were read, by their ids.</p>}
      </>
    )}
  </Paged>
)

const Summary = () => (
  <Answer of={useAnswer('/api/v1/matching/summary')}>
    {(summary, at) => (
      <>
        <RecordNumbers of={summary} />
        <AsOf at={at} />
        <Table
          caption="The largest graphs"
          none="No record is known yet."
          rows={summary.largest}
          keyOf={({ component }) => component}
          columns={[
            {
              title: 'The graph of',
              cell: ({ component, title }) => <Work id={component} title={title} />,
            },
            { title: 'Works', isNumber: true, cell: ({ size }) => count(size) },
          ]}
        />
        <p>
          <Link to="/matching/attention">What somebody should look at</Link>
        </p>
      </>
    )}
  </Answer>
)

/** Records and what joins them, and what is not with readers yet. */
const RecordNumbers = ({ of }: { readonly of: AnswerOf<'/api/v1/matching/summary'> }) => {
  const { works, links, components, placeholders, unmatched, unindexed, faults, refusals } = of
  const records = works.visible + works.invisible + works.deleted
  const refused = Object.values(refusals).reduce((sum, n) => sum + n, 0)
  if (records === 0) return null
  return (
    <Numbers
      of={[
        { label: 'Records', value: count(records), says: `${count(works.visible)} of them visible` },
        { label: 'Graphs', value: count(components), says: `joined by ${plural(links, 'link')}` },
        { label: 'Never described', value: count(placeholders), says: 'ids that records name' },
        {
          label: 'On the way',
          value: count(unmatched + unindexed),
          says: 'updates that readers do not see yet',
        },
        {
          label: 'Refused',
          value: count(refused),
          says: faults === 0 ? 'no longer the newest' : `and ${plural(faults, 'graph')} with a fault`,
          tone: faults > 0 ? 'bad' : undefined,
        },
      ]}
    />
  )
}

export default Search
