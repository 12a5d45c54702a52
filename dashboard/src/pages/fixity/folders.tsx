import { Link, useAddress } from '../../address/use-address.tsx'
import { post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name, visible } from '../../parts/name.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { bytes, count } from '../../parts/words.ts'
import { folderAt, itemAt } from './addresses.ts'
import { Legend } from './day-chart.tsx'
import { FixityMenu } from './fixity-menu.tsx'
import { FolderMap, nameOf } from './folder-map.tsx'
import { inWords, tonesOf } from './states.ts'

/** The folders of a store, by the state of what is in them; `?store=…&prefix=…`. */
const Folders = () => {
  const { query } = useAddress()
  const store = query.get('store')
  return (
    <>
      <h1>Folders</h1>
      <FixityMenu />
      {store === null ? <ChooseStore /> : <Below store={store} prefix={query.get('prefix') ?? ''} />}
    </>
  )
}

type Counts = Parameters<typeof tonesOf>[0]

/** How much is in a store or in a folder, and how it is. */
const amounts: readonly Column<{ readonly counts: Counts; readonly bytes: number }>[] = [
  { title: 'Items', isNumber: true, cell: ({ counts }) => count(counts.expected) },
  { title: 'Size', isNumber: true, cell: ({ bytes: size }) => bytes(size) },
  { title: 'States', cell: ({ counts }) => inWords(counts) },
]

const ChooseStore = () => (
  <Answer of={useAnswer('/api/v1/reports/fixity')}>
    {({ stores }, at) => (
      <>
        <Table
          caption="Stores"
          none="No store is known."
          rows={stores}
          keyOf={({ store }) => store}
          columns={[
            { title: 'Store', cell: ({ store }) => <Name text={store} to={folderAt(store)} /> },
            ...amounts,
          ]}
        />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

interface BelowProps {
  readonly store: string
  readonly prefix: string
}

const Below = ({ store, prefix }: BelowProps) => (
  <>
    <Way store={store} prefix={prefix} />
    <Answer of={useAnswer('/api/v1/reports/fixity', { query: { store, ...(prefix !== '' && { prefix }) } })}>
      {({ stores: [found] }, at) => {
        if (!found) return <p class="none">Nothing is recorded there.</p>
        const sections = found.prefixes
          .filter(({ counts }) => counts.expected > 0)
          .toSorted((a, b) => b.counts.expected - a.counts.expected)
        return (
          <>
            <Legend counts={found.counts} />
            <FolderMap store={store} base={prefix} sections={sections} />
            <Table
              caption="Folders, those with something wrong first"
              none="Nothing is recorded there."
              rows={sections.toSorted((a, b) => wrongIn(b) - wrongIn(a))}
              keyOf={(section) => section.prefix}
              columns={[
                {
                  title: 'Folder',
                  cell: ({ prefix: one }) =>
                    one === '.' ? (
                      nameOf(one, prefix)
                    ) : (
                      <Name text={nameOf(one, prefix)} to={folderAt(store, one)} />
                    ),
                },
                ...amounts,
              ]}
            />
            <AsOf at={at} />
          </>
        )
      }}
    </Answer>
    <CheckBelow store={store} prefix={prefix} />
    <Items store={store} prefix={prefix} />
  </>
)

const wrongIn = ({ counts }: { readonly counts: Counts }): number => {
  const { bad, late } = tonesOf(counts)
  return bad * 1e6 + late
}

/** From the store down, each step a link. */
const Way = ({ store, prefix }: BelowProps) => {
  const steps = prefix.split('/').filter((step) => step !== '')
  return (
    <nav aria-label="Where this is">
      <ol class="way">
        <li>
          <Name text={store} to={folderAt(store)} />
        </li>
        {steps.map((step, i) => {
          const to = `${steps.slice(0, i + 1).join('/')}/`
          return (
            <li key={to}>
              <Name text={step} to={folderAt(store, to)} />
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

const CheckBelow = ({ store, prefix }: BelowProps) => (
  <div class="buttons">
    <Act
      verb="Check all that is below"
      says={`Wants everything in ${visible(`${store}/${prefix}`)} checked now, ahead of the schedule.`}
      act={({ key, ...by }) =>
        post('/api/v1/commands/fixity.check-store', { body: { input: { store, prefix }, ...by }, key })
      }
    />
  </div>
)

const maxItems = 200

/** The files directly in the folder. */
const Items = ({ store, prefix }: BelowProps) => {
  const where = [`store=${store}`, `folder=${prefix.replace(/\/$/, '')}`, `path^=${prefix}`, 'removed=0']
  return (
    <Answer
      of={useAnswer('/api/v1/views/fixity-items', { query: { where, order: ['path'], limit: maxItems } })}
    >
      {({ rows, more }) =>
        rows.length === 0 ? null : (
          <>
            <Table
              caption="Files directly here"
              none="There are none."
              rows={rows}
              keyOf={({ path }) => path ?? ''}
              columns={[
                {
                  title: 'File',
                  cell: ({ path }) => (
                    <Name text={(path ?? '').slice(prefix.length)} to={itemAt(store, path ?? '')} />
                  ),
                },
                { title: 'State', cell: ({ state }) => state },
                {
                  title: 'Size',
                  isNumber: true,
                  cell: ({ size }) => (size === null ? <span class="why">not known</span> : bytes(size)),
                },
                {
                  title: 'Last checked',
                  cell: ({ lastChecked }) =>
                    lastChecked === null ? <span class="why">never</span> : <Time at={lastChecked} />,
                },
              ]}
            />
            {more && (
              <p>
                There are more: the first {maxItems} are listed.{' '}
                <Link to="/do/fixity.check">Any other can be checked by its path.</Link>
              </p>
            )}
          </>
        )
      }
    </Answer>
  )
}

export default Folders
