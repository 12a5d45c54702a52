import { Answer } from '../../parts/answer.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { LogMenu } from './log-menu.tsx'
import { FoldedAnew, RebuildActs } from './rebuild.tsx'
import { isUnderWay, useProjections } from './use-projections.ts'

/** How far views are folded, and what is folded anew. */
const Projections = () => {
  const { shown, again } = useProjections()
  return (
    <>
      <h1>Projections</h1>
      <LogMenu />
      <p>
        Views can be made again from the log at any time, beside the live ones, which answer until the new
        ones take their place. This acts on the views of the process that answers.
      </p>
      <Answer of={shown}>
        {({ projections, head }, at) => (
          <>
            <Table
              caption={`Projections; the log ends at ${count(head)}`}
              none="There is no projection."
              rows={projections}
              keyOf={({ projection }) => projection}
              columns={[
                { title: 'Projection', cell: ({ projection }) => projection },
                { title: 'What it is', cell: ({ description }) => description },
                { title: 'Version', isNumber: true, cell: ({ version }) => version },
                {
                  title: 'Views',
                  isNumber: true,
                  cell: ({ views }) => <span title={views.join(', ')}>{views.length}</span>,
                },
                {
                  title: 'Position',
                  isNumber: true,
                  cell: ({ position }) =>
                    position === null ? <span class="why">never folded</span> : count(position),
                },
                {
                  title: 'State',
                  cell: ({ lag, error }) =>
                    error !== null ? (
                      <State is="stopped" words={`stands still: ${error}`} />
                    ) : lag === null ? (
                      <State is="not known" words="never folded: start a process with the role projections" />
                    ) : lag === '0' ? (
                      <State is="well" words="caught up" />
                    ) : (
                      <State is="well" words={`${count(lag)} positions behind`} />
                    ),
                },
                { title: 'Folded anew', cell: (row) => <FoldedAnew of={row} head={head} /> },
                {
                  title: 'Fold anew',
                  cell: (row) => (
                    <RebuildActs of={row} underWay={projections.find(isUnderWay)?.projection} onAct={again} />
                  ),
                },
              ]}
            />
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

export default Projections
