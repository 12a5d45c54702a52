import { get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { listed } from '../../api/view-rows.ts'
import { Answer } from '../../parts/answer.tsx'
import { Command } from '../../parts/command.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Numbers } from '../../parts/numbers.tsx'
import { Paged } from '../../parts/paged.tsx'
import { State } from '../../parts/state.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count, plural, span } from '../../parts/words.ts'
import { episodeAt } from './addresses.ts'
import { leaseChoosing, researcherChoosing } from './desk-choosing.ts'
import { NextTries } from './next-tries.tsx'
import { Parked } from './parked.tsx'
import { ResearchMenu } from './research-menu.tsx'

/** How far research is, who listens now, and what waits for a person. */
const Research = () => (
  <>
    <h1>Research</h1>
    <ResearchMenu />
    <Desk />
    <Progress />
    <Listeners />
    <Leases />
    <Parked />
  </>
)

/** Whether work is handed out, and the button for the contrary. */
const Desk = () => {
  const { answered } = useAnswer('/api/v1/views/research-desk', { query: { limit: 1 } })
  if (!answered) return null
  const [desk] = answered.data.rows
  return desk?.pausedAt ? (
    <section class="panel" aria-label="Paused">
      <p>
        <State is="held" words="paused" /> since <Time at={desk.pausedAt} form="when" />:{' '}
        <Name text={desk.pausedReason ?? ''} isWhole />
      </p>
      <div class="buttons">
        <Command name="research.resume" input={{}} verb="Go on" says="Work is handed out again." />
      </div>
    </section>
  ) : (
    <div class="buttons">
      <Command
        name="research.pause"
        input={{}}
        verb="Pause research"
        says="Nothing more is handed out; who has work finishes it."
      />
    </div>
  )
}

const Progress = () => (
  <Answer of={useAnswer('/api/v1/research/progress')}>
    {(
      {
        pairs,
        researched,
        leased,
        open,
        found,
        episodes,
        episodesDone,
        clips,
        rate,
        recent,
        forecast,
        noForecast,
        ...failed
      },
      at,
    ) => (
      <>
        <p>
          <label>
            {count(researched)} of {plural(pairs, 'pair')} listened to
            <progress max={Math.max(pairs, 1)} value={researched} />
          </label>
        </p>
        <Numbers
          of={[
            {
              label: 'Episodes',
              value: count(episodesDone),
              says: `of ${count(episodes)} done, with ${plural(clips, 'clip')}`,
            },
            { label: 'Found', value: count(found), says: 'pairs in which a clip was heard' },
            { label: 'Under way', value: count(leased), says: `${plural(open, 'pair')} waiting` },
            {
              label: 'Speed',
              value: count(Math.round(rate.hour)),
              unit: 'in the last hour',
              says: `${count(Math.round(rate.day))} an hour while it was worked on`,
            },
            {
              label: 'Done about',
              value: forecast ? <Time at={forecast} form="when" /> : 'No forecast',
              says: forecast ? (
                <>
                  as since <Time at={recent.since} form="when" />: {plural(recent.pairs, 'pair')}
                </>
              ) : (
                <Name text={noForecast ?? ''} isWhole />
              ),
            },
          ]}
        />
        <NextTries {...failed} />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

const Listeners = () => (
  <Paged
    name="researchers"
    caption="Who listens"
    ask={(page, signal) =>
      listed('researchers', get('/api/v1/research/researchers', { query: page }, signal))
    }
  >
    {({ rows, total }, page) => (
      <ActTable
        {...page}
        total={total}
        choosing={researcherChoosing}
        caption="Who listens"
        none="Nobody ever listened: `fonds start` does, and `fonds worker researcher`."
        rows={rows}
        keyOf={({ researcher }) => researcher}
        columns={[
          { title: 'Researcher', cell: ({ researcher }) => <Name text={researcher} /> },
          { title: 'Is', cell: ({ state }) => state },
          { title: 'Leases', isNumber: true, cell: ({ leases }) => count(leases) },
          { title: 'Results', isNumber: true, cell: ({ results }) => count(results) },
          { title: 'Found', isNumber: true, cell: ({ found }) => count(found) },
          { title: 'Failures', isNumber: true, cell: ({ failures }) => count(failures) },
          {
            title: 'Last result',
            cell: ({ lastResultAt }) =>
              lastResultAt ? <Time at={lastResultAt} /> : <span class="why">none</span>,
          },
        ]}
      />
    )}
  </Paged>
)

const Leases = () => (
  <Paged
    name="leases"
    caption="What is under way"
    ask={(page, signal) => listed('leases', get('/api/v1/research/leases', { query: page }, signal))}
  >
    {({ rows, total }, page) => (
      <ActTable
        {...page}
        total={total}
        choosing={leaseChoosing}
        caption="What is under way"
        none="Nothing is under way."
        rows={rows}
        keyOf={({ lease }) => lease}
        columns={[
          { title: 'Episode', cell: ({ episode, title }) => <Name text={title} to={episodeAt(episode)} /> },
          {
            title: 'By',
            cell: ({ researcher, state }) =>
              researcher === undefined ? (
                <span class="why">nobody: {state}</span>
              ) : (
                <Name text={researcher} />
              ),
          },
          {
            title: 'Clips done',
            isNumber: true,
            cell: ({ done, clips }) => `${count(done)} of ${count(clips)}`,
          },
          { title: 'Ends in', cell: ({ remainingSeconds }) => span(remainingSeconds) },
        ]}
      />
    )}
  </Paged>
)

export default Research
