import { Link, useAddress } from '../../address/use-address.tsx'
import { get } from '../../api/client.ts'
import { listed } from '../../api/view-rows.ts'
import { Name } from '../../parts/name.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { count, plural } from '../../parts/words.ts'
import { batchAt } from './addresses.ts'
import { type Batch, batchChoosing } from './batch-choosing.ts'
import { standingOf, titles } from './lanes.tsx'
import { nameOf } from './name-of.ts'
import { StateChoice } from './state-choice.tsx'

type BatchState = Batch['state']

const states = Object.keys(titles) as BatchState[]

/** All batches, however many; which state is chosen stands in the address. */
const Batches = () => {
  const { query } = useAddress()
  const state = states.find((one) => one === query.get('state'))
  return (
    <>
      <h1>Batches</h1>
      <p>
        <Link to="/ingest">Ingest</Link>
      </p>
      <StateChoice states={states} state={state} words={titles} />
      <SavedViews />
      <WindowList<Batch>
        name={state ?? 'all'}
        caption="Batches"
        none="There is no such batch."
        says={(total) => `${plural(total, 'batch', 'batches')}, the latest first.`}
        ask={(page, signal) => {
          const asked = { ...(state !== undefined && { state }), ...page }
          return listed('batches', get('/api/v1/ingest/batches', { query: asked }, signal))
        }}
        keyOf={({ batch }) => batch}
        choosing={batchChoosing}
        columns={[
          {
            title: 'Batch',
            cell: ({ batch, number }) => (
              <Link to={batchAt(batch)}>{number === null ? 'no number yet' : count(number)}</Link>
            ),
          },
          {
            title: 'What',
            cell: ({ batch, title, file }) => <Name text={title ?? nameOf(file)} to={batchAt(batch)} />,
          },
          { title: 'Stands', cell: (batch) => <Standing batch={batch} /> },
          { title: 'Submitter', cell: ({ submitter }) => <Name text={submitter} /> },
          { title: 'Submitted', cell: ({ submittedAt }) => <Time at={submittedAt} /> },
        ]}
      />
    </>
  )
}

const Standing = ({ batch }: { readonly batch: Batch }) => {
  const [is, says] = standingOf(batch)
  return <State is={is} words={says} />
}

export default Batches
