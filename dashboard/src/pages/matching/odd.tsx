import { type Answer, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer as AnswerOf } from '../../parts/answer.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { count } from '../../parts/words.ts'
import { confirmSays } from './verdict.tsx'
import { Work } from './work.tsx'

const kinds = {
  'one-link': 'held by one link',
  'hub-placeholder': 'named by many, never described',
  oversized: 'too large to be true',
  corrected: 'changed without a new version',
} as const

type Odd = Answer<'/api/v1/matching/quality'>['quality'][number]

/** A record was corrected; all others are graphs. */
const subject = ({ what, id }: Odd) => (what === 'corrected' ? { work: id, record: true } : { work: id })

const choosingOf = (what: Odd['what']): Choosing<Odd> => ({
  nouns: what === 'corrected' ? ['record', 'records'] : ['graph', 'graphs'],
  nameOf: ({ id, title }) => title ?? id,
  standsOf: ({ says }) => says,
  acts: [
    commandAct({
      name: 'matching.confirm',
      verb: what === 'corrected' ? 'They are right' : 'They are right as they are',
      says:
        what === 'corrected'
          ? 'It leaves this list until one version of it comes with other content again.'
          : confirmSays,
      input: (row) => ({ ...subject(row), ...(row.seen !== null && { seen: row.seen }) }),
      undo: commandAct({
        name: 'matching.unconfirm',
        verb: 'Take back',
        says: 'It is listed again where it stands out. The log keeps both.',
        input: subject,
      }),
    }),
  ],
})

/** A list for each kind: of some there may be as many as there are records. */
export const OddThings = () => (
  <AnswerOf of={useAnswer('/api/v1/matching/quality', { query: { limit: 1 } })}>
    {({ counts }) => (
      <>
        <h2>Odd</h2>
        {counts.length === 0 && <p class="none">Nothing stands out.</p>}
        {counts.map(({ what }) => (
          <OddOf key={what} what={what} />
        ))}
      </>
    )}
  </AnswerOf>
)

const OddOf = ({ what }: { readonly what: Odd['what'] }) => (
  <Paged
    name={what}
    caption={kinds[what]}
    ask={async (page, signal) => {
      const query = { what, ...page }
      const { data, at } = await get('/api/v1/matching/quality', { query }, signal)
      return { data: { rows: data.quality, total: data.counts[0]?.count ?? 0 }, at }
    }}
  >
    {({ rows, total }, page) => (
      <ActTable<Odd>
        {...page}
        total={total}
        choosing={choosingOf(what)}
        caption={`Odd: ${kinds[what]}, ${count(total)} of them, the worst first`}
        none="There is none any more."
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            title: what === 'corrected' ? 'Times' : 'Works',
            isNumber: true,
            cell: ({ weight }) => count(weight),
          },
          {
            title: what === 'corrected' ? 'Record' : 'Graph',
            cell: ({ id, title }) => <Work id={id} title={title} />,
          },
          { title: 'In words', cell: ({ says }) => <Name text={says} isWhole /> },
        ]}
      />
    )}
  </Paged>
)
