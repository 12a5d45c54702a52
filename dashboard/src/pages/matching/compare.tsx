import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { plural } from '../../parts/words.ts'
import './matching.css'
import { MatchingMenu } from './matching-menu.tsx'
import { Way } from './why.tsx'
import { titleIn, Work } from './work.tsx'

type Records = AnswerOf<'/api/v1/matching/compare'>
type Side = Records['a']
type Pair = Records['fields'][number]

/** Two records side by side: what agrees, what differs, what links them, and whether they are merged. */
const CompareRecords = () => {
  const { query } = useAddress()
  const [a, b] = ['a', 'b'].map((name) => query.get(name)?.trim() ?? '') as [string, string]
  return (
    <>
      <h1>Two records side by side</h1>
      <MatchingMenu />
      <Choose a={a} b={b} />
      {a === '' || b === '' ? (
        <p class="none">Name two records by their ids: a graph and the search have them.</p>
      ) : (
        <Compared key={JSON.stringify([a, b])} a={a} b={b} />
      )}
    </>
  )
}

const Choose = ({ a, b }: { readonly a: string; readonly b: string }) => {
  const address = useAddress()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget as HTMLFormElement)
    go(changed(address, { a: String(typed.get('a')).trim(), b: String(typed.get('b')).trim() }))
  }
  return (
    <form class="row" onSubmit={submit} key={`${a} ${b}`}>
      <label>
        A record
        <input name="a" required defaultValue={a} autocomplete="off" />
      </label>
      <label>
        Another one
        <input name="b" required defaultValue={b} autocomplete="off" />
      </label>
      <button type="submit">Compare</button>
    </form>
  )
}

const Compared = ({ a, b }: { readonly a: string; readonly b: string }) => (
  <Answer of={useAnswer('/api/v1/matching/compare', { query: { a, b } })}>
    {(records, at) => (
      <>
        <p>
          <Verdict of={records} /> <AsOf at={at} />
        </p>
        {[records.a, records.b].map((side) => (
          <Special key={side.id} of={side} />
        ))}
        <Fields of={records} />
        <h2>What links them</h2>
        <Links of={records} />
      </>
    )}
  </Answer>
)

/** Whether readers get one work for both, and which. */
const Verdict = ({ of: { a, b, titles } }: { readonly of: Records }) => {
  if (a.id === b.id) return <>It is the same record twice.</>
  if (a.component === null || b.component === null)
    return <State is="under way" words="One of them waits for the matcher." />
  if (a.component !== b.component) return <State is="idle" words="They are not one." />
  if (a.shownAs !== null && a.shownAs === b.shownAs)
    return (
      <>
        <State is="well" words="They are merged:" /> readers get{' '}
        <Work id={a.shownAs} title={titleIn(titles, a.shownAs)} />, the first visible record by the order of
        sources.
      </>
    )
  return <State is="needs somebody" words="They are in one graph, and not merged." />
}

/** Why there is less to compare than a person may expect. */
const Special = ({ of: { id, state, namedBy } }: { readonly of: Side }) =>
  state === 'placeholder' ? (
    <p class="why">
      <Name text={id} /> is named by {plural(namedBy, 'record')}, and no source describes it: it has no
      fields.
    </p>
  ) : state === 'deleted' ? (
    <p class="why">
      <Name text={id} /> is deleted: what it said last is shown.
    </p>
  ) : null

const Fields = ({ of: { a, b, fields, titles } }: { readonly of: Records }) => (
  <Table<Pair>
    caption="Field by field, those that differ first"
    none="Neither has a field."
    rows={fields}
    keyOf={({ field }) => field}
    columns={[
      { title: 'Field', cell: ({ field }) => <Name text={field} /> },
      { title: titleIn(titles, a.id) ?? a.id, cell: (pair) => <Value of={pair.a} /> },
      { title: `${titleIn(titles, b.id) ?? b.id} `, cell: (pair) => <Value of={pair.b} /> },
      { title: 'Agrees', cell: (pair) => <Agrees of={pair} /> },
    ]}
  />
)

const Value = ({ of }: { readonly of: unknown }) =>
  of === null ? <span class="why">none</span> : <Name text={inWords(of)} isWhole />

const inWords = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(inWords).join(', ')
      : JSON.stringify(value)

const Agrees = ({ of: { agrees, both } }: { readonly of: Pair }) => {
  if (agrees === 'same') return <State is="well" words="the same" />
  if (agrees !== 'differs')
    return <State is="idle" words={agrees === 'only-a' ? 'the first alone' : 'the second alone'} />
  return (
    <>
      <State is="needs somebody" words="differs" />
      {both.length > 0 && (
        <small>
          {' '}
          both: <Name text={both.map(inWords).join(', ')} />
        </small>
      )}
    </>
  )
}

const Links = ({ of: { a, b, why, named, titles, isTooLarge } }: { readonly of: Records }) => (
  <>
    {isTooLarge && <p class="why">Their graph is too large to be searched here: the command line does.</p>}
    {why && a.id !== b.id && <Way answer={why} />}
    {named.length > 0 && (
      <>
        <p>Both name:</p>
        <ul>
          {named.map(({ id, a: one, b: other }) => (
            <li key={id}>
              <Work id={id} title={titleIn(titles, id)} />: the first “<Name text={one.join(', ')} />
              ”, the second “<Name text={other.join(', ')} />”
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)

export default CompareRecords
