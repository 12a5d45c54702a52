import { type Answer, get } from '../../api/client.ts'
import { Actor } from '../../parts/actor.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { plural } from '../../parts/words.ts'
import { Work } from './work.tsx'

type Verdict = Answer<'/api/v1/matching/confirmed'>['confirmed'][number]

const choosing: Choosing<Verdict> = {
  nouns: ['verdict', 'verdicts'],
  nameOf: ({ id, title }) => title ?? id,
  standsOf: ({ actor, at }) => `by ${actor} at ${at}`,
  acts: [
    commandAct({
      name: 'matching.unconfirm',
      verb: 'Take back',
      says: 'It is listed again where it stands out. The log keeps both.',
      input: ({ id, what }) => (what === 'record' ? { work: id, record: true } : { work: id }),
    }),
  ],
}

/** What persons looked at and found right: who, when, why, and whether it is still as they saw it. */
export const Confirmed = () => (
  <>
    <h2>Looked at, and right</h2>
    <Paged
      name="confirmed"
      caption="Looked at, and right"
      ask={async (page, signal) => {
        const { data, at } = await get('/api/v1/matching/confirmed', { query: page }, signal)
        return { data: { rows: data.confirmed, total: data.total }, at }
      }}
    >
      {({ rows, total }, page) => (
        <ActTable<Verdict>
          {...page}
          total={total}
          choosing={choosing}
          caption="Looked at, and right: the newest first"
          none="Nobody has said of a graph or a record that it is right."
          rows={rows}
          keyOf={({ id, what }) => `${what} ${id}`}
          columns={[
            { title: 'Work', cell: ({ id, title }) => <Work id={id} title={title} /> },
            {
              title: 'What',
              cell: ({ what, size }) => (what === 'record' ? 'record' : plural(size ?? 0, 'work')),
            },
            {
              title: 'Counts',
              cell: ({ stands }) => (
                <State
                  is={stands ? 'well' : 'needs somebody'}
                  words={stands ? 'yes' : 'no: it changed since'}
                />
              ),
            },
            { title: 'By', cell: ({ actor }) => <Actor text={actor} /> },
            { title: 'When', cell: ({ at }) => <Time at={at} /> },
            { title: 'Why', cell: ({ reason }) => <Name text={reason} isWhole /> },
          ]}
        />
      )}
    </Paged>
  </>
)
