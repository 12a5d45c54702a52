import { changed } from '../../address/address.ts'
import { go, Link, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Json } from '../../parts/json.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { commandAt } from '../commands/addresses.ts'
import { MatchingMenu } from './matching-menu.tsx'
import { Work } from './work.tsx'

type Generation = AnswerOf<'/api/v1/matching/generations'>['generations'][number]
type Example = AnswerOf<'/api/v1/matching/generations/compare'>['examples'][number]

/** The indexes that there are, and how two of them differ. */
const Generations = () => {
  const { query } = useAddress()
  const [first, second] = [Number(query.get('first')), Number(query.get('second'))]
  return (
    <>
      <h1>Generations</h1>
      <MatchingMenu />
      <p>
        A generation is an index made by rules of its own. Readers get the live one; another is built beside
        it, compared, and switched to. <Link to={commandAt('matching.reindex', {})}>Build another one</Link>
      </p>
      <Answer of={useAnswer('/api/v1/matching/generations')}>
        {({ generations }, at) => (
          <>
            <Table
              caption="Generations"
              none="Generation 1 is live, and nothing has come in yet."
              rows={generations}
              keyOf={({ generation }) => String(generation)}
              columns={[
                { title: 'Number', isNumber: true, cell: ({ generation }) => generation },
                { title: 'Is', cell: ({ status }) => status },
                { title: 'Begun', cell: ({ startedAt }) => startedAt && <Time at={startedAt} /> },
                { title: 'Why', cell: ({ reason }) => reason && <Name text={reason} /> },
                {
                  title: 'Rules',
                  cell: ({ rules, generation }) => <Rules of={rules} generation={generation} />,
                },
                { title: 'What can be done', cell: (one) => <Verbs of={one} /> },
              ]}
            />
            <AsOf at={at} />
            <Choose generations={generations} />
          </>
        )}
      </Answer>
      {first > 0 && second > 0 && <Compared first={first} second={second} />}
    </>
  )
}

const Rules = ({ of, generation }: { readonly of: unknown; readonly generation: number }) => (
  <details>
    <summary>Rules</summary>
    <Json value={of} says={`Rules of generation ${generation}`} />
  </details>
)

const Verbs = ({ of: { status, generation } }: { readonly of: Generation }) =>
  status === 'dropped' ? (
    <span class="why">Nothing: it was dropped.</span>
  ) : status === 'live' ? (
    <span class="why">Readers get it.</span>
  ) : (
    <span class="verbs">
      <Link to={commandAt('matching.switch', { generation })}>Switch to it</Link>
      <Link to={commandAt('matching.drop', { generation })}>Drop it</Link>
    </span>
  )

const Choose = ({ generations }: { readonly generations: readonly Generation[] }) => {
  const address = useAddress()
  const kept = generations.filter(({ status }) => status !== 'dropped').map(({ generation }) => generation)
  if (kept.length < 2) return <p class="why">There is only one: nothing to compare it with.</p>
  const chosen = {
    first: Number(address.query.get('first')) || kept[0],
    second: Number(address.query.get('second')) || kept.at(-1),
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    go(changed(address, { first: String(asked.get('first')), second: String(asked.get('second')) }))
  }
  return (
    <form class="row" onSubmit={submit}>
      {(['first', 'second'] as const).map((name, i) => (
        <label key={name}>
          {i === 0 ? 'Compare' : 'with'}
          <select name={name}>
            {kept.map((one) => (
              <option key={one} value={one} selected={one === chosen[name]}>
                {one}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit">Compare</button>
    </form>
  )
}

const Compared = ({ first, second }: { readonly first: number; readonly second: number }) => (
  <section aria-labelledby="compared">
    <h2 id="compared">
      Generation {first} beside {second}
    </h2>
    <Answer of={useAnswer('/api/v1/matching/generations/compare', { query: { first, second } })}>
      {({ same, different, onlyInFirst, onlyInSecond, examples }, at) => (
        <>
          <p>
            {count(same)} documents are the same, {count(different)} differ; {count(onlyInFirst)} are only in{' '}
            {first}, {count(onlyInSecond)} only in {second}. <AsOf at={at} />
          </p>
          <Table
            caption="The first that differ"
            none="No work would be shown differently."
            rows={examples}
            keyOf={({ work }) => work}
            columns={[
              { title: 'Work', cell: ({ work, title }) => <Work id={work} title={title} /> },
              {
                title: `In ${first}`,
                cell: (one) => <Document of={one.first} says={`${one.work} in ${first}`} />,
              },
              {
                title: `In ${second}`,
                cell: (one) => <Document of={one.second} says={`${one.work} in ${second}`} />,
              },
            ]}
          />
        </>
      )}
    </Answer>
  </section>
)

const Document = ({ of, says }: { readonly of: Example['first']; readonly says: string }) =>
  of === null ? <span class="why">not there</span> : <Json value={of} says={says} />

export default Generations
