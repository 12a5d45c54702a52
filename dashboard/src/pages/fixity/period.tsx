import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useNow, usePast } from '../../api/use-past.ts'
import { counted } from '../../api/view-rows.ts'
import { Answer } from '../../parts/answer.tsx'
import { Bars } from '../../parts/bars.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Path } from '../../parts/path.tsx'
import { Print } from '../../parts/print.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { itemAt } from './addresses.ts'
import { FixityMenu } from './fixity-menu.tsx'
import { lastPeriods, type Period, periodNamed } from './periods.ts'

type Report = AnswerOf<'/api/v1/reports/fixity/period'>

/** What was checked, found and settled in a month or a quarter; `?period=2026-Q1&store=…`. */
const PeriodPage = () => {
  const { query } = useAddress()
  const name = query.get('period')
  const { months } = lastPeriods(useNow())
  const period = name === null ? (months[0] as Period) : periodNamed(name)
  return (
    <>
      <h1>Fixity{period && `, ${period.name}`}</h1>
      <FixityMenu />
      <Choose chosen={period?.name ?? ''} />
      {period ? (
        <Told period={period} store={query.get('store') ?? ''} />
      ) : (
        <p>
          <Name text={name ?? ''} /> is no period: months are called <code>2026-01</code>, quarters{' '}
          <code>2026-Q1</code>.
        </p>
      )}
    </>
  )
}

const Choose = ({ chosen }: { readonly chosen: string }) => {
  const address = useAddress()
  const { months, quarters } = lastPeriods(useNow())
  const { answered } = useAnswer('/api/v1/fixity/stores', { query: { days: 1 } })
  // Drawn when all that may be chosen is known: a choice stays as it was made.
  if (!answered) return <p class="waiting">Asking …</p>
  const { stores } = answered.data
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    go(changed(address, { period: String(asked.get('period')), store: String(asked.get('store')) }))
  }
  return (
    <form class="row" onSubmit={submit} key={String(address.query)}>
      <label>
        Period
        <select name="period">
          {[['Quarters', quarters] as const, ['Months', months] as const].map(([title, periods]) => (
            <optgroup key={title} label={title}>
              {periods.map(({ name }) => (
                <option key={name} value={name} selected={name === chosen}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        Store
        <select name="store">
          <option value="">all</option>
          {stores.map(({ store }) => (
            <option key={store} value={store} selected={store === address.query.get('store')}>
              {store}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
      <Print />
    </form>
  )
}

const Told = ({ period: { since, until }, store }: { readonly period: Period; readonly store: string }) => (
  <Answer
    of={useAnswer('/api/v1/reports/fixity/period', {
      query: { since, until, ...(store !== '' && { store }) },
    })}
  >
    {(report, at) => (
      <>
        <p>
          {store === '' ? 'All stores' : `The store ${store}`}, from <code>{report.since}</code> to before{' '}
          <code>{report.until}</code>. {checksSaid(report)}
        </p>
        <p>
          {plural(report.opened, 'finding')} opened, {count(report.settled)} settled
          {report.settlements.length > 0 &&
            ` (${report.settlements.map(({ how, count: n }) => `${count(n)} ${how}`).join(', ')})`}
          ; {count(report.openBefore)} open before, {count(report.openAfter)} after.
        </p>
        {report.reads.map(({ store: name, checks, bytes: read }) => (
          <p key={name}>
            Checks of {name} read {bytes(read)} on its days (UTC), in {plural(checks, 'attempt')}.
          </p>
        ))}
        {report.requests.map((use) => (
          <p key={use.store}>
            Asked of the bucket of {use.store} on these days: {use.sentence}.
          </p>
        ))}
        <Trend report={report} />
        <Unverified report={report} />
        <Findings report={report} store={store} />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

type Step = Report['steps'][number]

const checksOf = ({ successes, unread, failures, unverified }: Omit<Step, 'step'>): number =>
  successes + unread + failures + unverified

const checksSaid = (report: Report): string => {
  const { successes, unread, failures, unverified } = report
  return checksOf(report) === 0
    ? 'No check finished in it.'
    : `${plural(checksOf(report), 'check')} finished: ${count(successes)} as recorded, ${count(failures)} not, ` +
        `${unread > 0 ? `${count(unread)} of records alone, without reading the bytes, ` : ''}` +
        `${count(unverified)} with nothing to compare.`
}

const Trend = ({ report: { steps } }: { readonly report: Report }) => {
  const barsOf = (value: (step: Step) => number) =>
    steps.map((step) => ({ label: step.step, value: value(step) }))
  const busy = steps.filter(({ step: _, ...amounts }) => Object.values(amounts).some((n) => n > 0))
  return (
    <section aria-labelledby="trend">
      <h2 id="trend">Trend</h2>
      <div class="charts">
        <figure>
          <figcaption>Checks</figcaption>
          <Bars says="Checks" bars={barsOf(checksOf)} />
        </figure>
        <figure>
          <figcaption>Failures</figcaption>
          <Bars says="Failures" bars={barsOf(({ failures }) => failures)} />
        </figure>
        <figure>
          <figcaption>Findings opened</figcaption>
          <Bars says="Findings opened" bars={barsOf(({ opened }) => opened)} />
        </figure>
        <figure>
          <figcaption>Findings settled</figcaption>
          <Bars says="Findings settled" bars={barsOf(({ settled }) => settled)} />
        </figure>
      </div>
      <Table
        caption="Day by day; days on which nothing happened are left out"
        none="Nothing happened in all of it."
        rows={busy}
        keyOf={({ step }) => step}
        columns={[
          { title: 'Day', cell: ({ step }) => step },
          { title: 'As recorded', isNumber: true, cell: ({ successes }) => count(successes) },
          { title: 'Not read', isNumber: true, cell: ({ unread }) => count(unread) },
          { title: 'Not as recorded', isNumber: true, cell: ({ failures }) => count(failures) },
          { title: 'Nothing to compare', isNumber: true, cell: ({ unverified }) => count(unverified) },
          { title: 'Opened', isNumber: true, cell: ({ opened }) => count(opened) },
          { title: 'Settled', isNumber: true, cell: ({ settled }) => count(settled) },
        ]}
      />
    </section>
  )
}

const Unverified = ({ report: { whyUnverified } }: { readonly report: Report }) => (
  <Table
    caption={`Why items have nothing to be compared with, ${usePast() ? 'then' : 'now'}`}
    none="No item is without something to compare it with."
    rows={whyUnverified}
    keyOf={({ because }) => because}
    columns={[
      { title: 'Items', isNumber: true, cell: ({ count: n }) => count(n) },
      { title: 'Why', cell: ({ because }) => <Name text={because} /> },
    ]}
  />
)

type Finding = AnswerOf<'/api/v1/views/fixity-resolutions'>['rows'][number]

interface FindingsProps {
  readonly report: Report
  readonly store: string
}

/** All that the report counts: those opened in the period, then those that are older and were settled in it. */
const Findings = ({ report: { since, until }, store }: FindingsProps) => {
  const ofStore = store === '' ? [] : [`store=${store}`]
  const within = (column: string) => [...ofStore, `${column}>=${since}`, `${column}<${until}`]
  return (
    <>
      <FindingTable
        caption="Findings opened in it"
        none="No finding was opened."
        where={within('openedAt')}
        order="openedAt"
      />
      <FindingTable
        caption="Older findings settled in it"
        none="No older finding was settled."
        where={[...within('closedAt'), `openedAt<${since}`]}
        order="closedAt"
      />
    </>
  )
}

interface FindingTableProps {
  readonly caption: string
  readonly none: string
  readonly where: string[]
  readonly order: 'openedAt' | 'closedAt'
}

/** More than elsewhere: the report is printed. */
const rowsOnSheet = 150

const FindingTable = ({ caption, none, where, order }: FindingTableProps) => (
  <Paged
    name={JSON.stringify([where, order])}
    caption={caption}
    size={rowsOnSheet}
    ask={(page, signal) => {
      const query = { where, order: [order], total: true, ...page }
      return counted(get('/api/v1/views/fixity-resolutions', { query }, signal))
    }}
  >
    {({ rows }) => (
      <Table<Finding>
        caption={caption}
        none={none}
        rows={rows}
        keyOf={({ store, path, resolution }) => JSON.stringify([store, path, resolution])}
        columns={findingColumns}
      />
    )}
  </Paged>
)

const findingColumns = [
  { title: 'Opened', cell: ({ openedAt }: Finding) => <Time at={openedAt ?? ''} form="whole" /> },
  {
    title: 'Item',
    cell: ({ store, path }: Finding) => <Path text={`${store}/${path}`} to={itemAt(store, path)} />,
  },
  { title: 'What was found', cell: ({ summary }: Finding) => summary },
  {
    title: 'What became of it',
    cell: ({ closedAt, how, reason }: Finding) =>
      closedAt === null ? (
        'open'
      ) : (
        <>
          {how} <Time at={closedAt} form="whole" />
          {reason !== null && (
            <>
              : <Name text={reason} />
            </>
          )}
        </>
      ),
  },
]

export default PeriodPage
