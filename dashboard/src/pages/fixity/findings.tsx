import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import { type Answer, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { quoted } from '../../parts/command-line.ts'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged, type PageShown } from '../../parts/paged.tsx'
import { Path } from '../../parts/path.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { State } from '../../parts/state.tsx'
import { Since, Time } from '../../parts/time.tsx'
import type { Page } from '../../parts/window-list.tsx'
import { count } from '../../parts/words.ts'
import { itemAt } from './addresses.ts'
import type { Finding } from './finding.ts'
import { findingChoosing } from './finding-acts.tsx'
import { Whose } from './whose.tsx'

/** Who can settle it. */
const settlers: Readonly<Record<string, string>> = {
  internal: 'can be mended here, from a second copy or by a record',
  external: 'for whoever keeps the storage',
  manual: 'for a person to decide',
}

const ageWords: Readonly<Record<string, string>> = {
  day: 'since less than a day',
  week: 'since less than a week',
  month: 'since less than a month',
  older: 'longer than a month',
}

interface Filter {
  readonly store?: string
  readonly prefix?: string
  /** Of this person alone; `nobody`. */
  readonly assignee?: string
}

export const filterIn = (query: URLSearchParams): Filter => {
  const [store, prefix, assignee] = [query.get('store'), query.get('prefix'), query.get('whose')]
  return { ...(store && { store }), ...(prefix && { prefix }), ...(assignee && { assignee }) }
}

/** What somebody must settle, the oldest first: several at once, or one on its own page. */
export const Findings = () => {
  const filter = filterIn(useAddress().query)
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">Findings to settle</h2>
      <Choice filter={filter} />
      <Paged
        name={`findings ${JSON.stringify(filter)}`}
        caption="Findings to settle"
        ask={(page, signal) => asked({ ...filter, ...page }, signal)}
      >
        {(found, page) => <Found {...found} filter={filter} page={page} />}
      </Paged>
      <SameLine line={lineOf(filter)} />
    </section>
  )
}

const lineOf = ({ store, prefix, assignee }: Filter): string =>
  [
    'fonds fixity findings',
    ...(store === undefined ? [] : [quoted(store)]),
    ...(prefix === undefined ? [] : ['--prefix', quoted(prefix)]),
    ...(assignee === undefined ? [] : ['--assignee', quoted(assignee)]),
  ].join(' ')

const asked = async (query: Filter & Page, signal?: AbortSignal) => {
  const { data, at } = await get('/api/v1/fixity/findings', { query }, signal)
  const total = data.ages.reduce((sum, { count }) => sum + count, 0)
  const { findings: rows, ages, assignees, at: now } = data
  return { data: { rows, ages, assignees, total, now }, at }
}

const Choice = ({ filter: { store = '', prefix = '' } }: { readonly filter: Filter }) => {
  const address = useAddress()
  const { answered } = useAnswer('/api/v1/fixity/stores', { query: { days: 30 } })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget as HTMLFormElement)
    const field = (name: string) => String(typed.get(name)).trim()
    go(changed(address, { store: field('store'), prefix: field('prefix') }))
  }
  return (
    <>
      <form class="row" onSubmit={submit} key={`${store} ${prefix}`}>
        <label>
          Store
          <select name="store">
            <option value="">all</option>
            {(answered?.data.stores ?? []).map(({ store: one }) => (
              <option key={one} value={one} selected={one === store}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <label>
          Paths that start so
          <input name="prefix" defaultValue={prefix} placeholder="letters/" />
        </label>
        <button type="submit">Show</button>
      </form>
      <SavedViews />
    </>
  )
}

interface FoundProps {
  readonly rows: readonly Finding[]
  readonly ages: Answer<'/api/v1/fixity/findings'>['ages']
  readonly assignees: Answer<'/api/v1/fixity/findings'>['assignees']
  readonly total: number
  readonly now: string
  readonly filter: Filter
  readonly page: PageShown<Finding>
}

const keyOf = ({ resolution }: Finding): string => resolution

const Found = ({ rows, ages, assignees, total, now, filter, page }: FoundProps) => {
  if (total === 0)
    return (
      <>
        <Whose of={assignees} shown={filter.assignee} />
        <p class="none">
          {filter.store || filter.prefix || filter.assignee
            ? 'No finding fits the filter.'
            : 'Nothing is to be settled: no finding is open.'}
        </p>
      </>
    )
  return (
    <>
      <Whose of={assignees} shown={filter.assignee} />
      <p>
        {ages
          .filter(({ count }) => count > 0)
          .map(({ age, count: n }) => `${count(n)} open ${ageWords[age] ?? age}`)
          .join(', ')}
        .
      </p>
      <ActTable<Finding>
        {...page}
        total={total}
        choosing={findingChoosing}
        caption="Open findings"
        none="There is none on this page."
        rows={rows}
        keyOf={keyOf}
        columns={[
          {
            title: 'Item',
            cell: ({ store, path }) => <Path text={`${store}/${path}`} to={itemAt(store, path)} />,
          },
          {
            title: 'What is wrong',
            cell: ({ summary, class: kind, row }) => (
              <>
                <State is={kind === 'internal' ? 'needs somebody' : 'wrong'} words={summary} />
                <small>
                  {row}; {settlers[kind] ?? kind}
                </small>
              </>
            ),
          },
          {
            title: 'Last good day',
            cell: ({ lastVerified }) =>
              lastVerified === null ? (
                <span class="why">never found as recorded</span>
              ) : (
                <Time at={lastVerified} form="when" />
              ),
          },
          {
            title: 'Whose',
            cell: ({ assignee, assigneeName }) =>
              assignee === null ? (
                <span class="why">nobody’s</span>
              ) : (
                <span class="line">
                  <Name text={assigneeName ?? assignee} />
                </span>
              ),
          },
          { title: 'Open for', cell: ({ openedAt }) => <Since at={openedAt} now={new Date(now)} /> },
        ]}
      />
    </>
  )
}
