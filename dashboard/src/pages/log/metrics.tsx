import { answered } from '../../api/client.ts'
import { noted } from '../../api/past.ts'
import { useAsked } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { LogMenu } from './log-menu.tsx'
import { metricsIn } from './metrics-text.ts'

/** What monitoring sees: the metrics of Fonds itself, those that are not zero. */
const Metrics = () => (
  <>
    <h1>Metrics</h1>
    <LogMenu />
    <p>
      What is not zero, in the process that answers. All of it, for Prometheus, is at{' '}
      <a href="/metrics">/metrics</a>; docs/guides/watch.md says what each means, and which should ring.
    </p>
    <Answer of={useAsked(ask, 'metrics')}>
      {(metrics, at) => (
        <>
          {metrics.map(({ name, help, values }) => (
            <Table
              key={name}
              caption={`${name}: ${help}`}
              none=""
              rows={values}
              keyOf={({ labels }) => labels}
              columns={[
                { title: 'Of', cell: ({ labels }) => <Name text={labels === '' ? 'all' : labels} /> },
                { title: 'Value', isNumber: true, cell: ({ value }) => value },
              ]}
            />
          ))}
          <AsOf at={at} />
        </>
      )}
    </Answer>
  </>
)

const ask = async (signal: AbortSignal) => {
  noted('/metrics', signal)
  const response = await answered('/metrics', { signal })
  return { data: metricsIn(await response.text()), at: new Date(response.headers.get('date') ?? Date.now()) }
}

export default Metrics
