import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get, post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { counted } from '../../api/view-rows.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name, visible } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import type { Rows } from '../../parts/use-window.ts'
import { WindowList } from '../../parts/window-list.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { folderAt, itemAt } from './addresses.ts'
import { Legend } from './day-chart.tsx'
import { FixityMenu } from './fixity-menu.tsx'
import { FolderMap, nameOf } from './folder-map.tsx'
import { itemChoosing } from './item-choosing.ts'
import { inWords } from './states.ts'

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

type Folder = AnswerOf<'/api/v1/fixity/folders'>['folders'][number]

const ChooseStore = () => (
  <Answer of={useAnswer('/api/v1/fixity/stores', { query: { days: 1 } })}>
    {({ stores }, at) => (
      <>
        <Table
          caption="Stores"
          none="No store is known."
          rows={stores}
          keyOf={({ store }) => store}
          columns={[
            { title: 'Store', cell: ({ store }) => <Name text={store} to={folderAt(store)} /> },
            { title: 'Items', isNumber: true, cell: ({ counts }) => count(counts.expected) },
            { title: 'States', cell: ({ counts }) => inWords(counts) },
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
    <Paged<FoldersBelow>
      name={`${store} ${prefix}`}
      caption="Folders"
      ask={async (page, signal) => {
        const query = { store, folder: folderOf(prefix), ...page }
        const { data, at } = await get('/api/v1/fixity/folders', { query }, signal)
        return { data: { ...data, rows: data.folders }, at }
      }}
    >
      {(found) =>
        found.total === 0 ? (
          <p class="none">Nothing is recorded there.</p>
        ) : (
          <>
            <Legend counts={found.counts} />
            <FolderMap store={store} base={prefix} sections={found.largest} />
            <LeftOut of={found} />
            <FolderTable store={store} prefix={prefix} folders={found.rows} />
          </>
        )
      }
    </Paged>
    <CheckBelow store={store} prefix={prefix} />
    <Items store={store} prefix={prefix} />
  </>
)

type FoldersBelow = AnswerOf<'/api/v1/fixity/folders'> & Rows<Folder>

/** What the numbers do not say. */
const LeftOut = ({ of: { isWhole, isLateCounted } }: { readonly of: FoldersBelow }) => (
  <>
    {!isWhole && (
      <p class="why">
        More than 100,000 folders lie below: those alone are counted that come first by name. Open one of
        them, and all of it is counted.
      </p>
    )}
    {!isLateCounted && (
      <p class="why">
        More than 20,000 checks are late: which folders they are in is not counted, and their items are as
        they were found last. <Link to="/fixity">Their store</Link> says how many they are.
      </p>
    )}
  </>
)

interface FolderTableProps extends BelowProps {
  readonly folders: readonly Folder[]
}

const FolderTable = ({ store, prefix, folders }: FolderTableProps) => (
  <Table
    caption="Folders, those with something wrong first, then the largest"
    none="There is none."
    rows={folders}
    keyOf={(folder) => folder.prefix}
    columns={[
      {
        title: 'Folder',
        cell: ({ prefix: one }) =>
          one === '.' ? nameOf(one, prefix) : <Name text={nameOf(one, prefix)} to={folderAt(store, one)} />,
      },
      { title: 'Items', isNumber: true, cell: ({ counts }) => count(counts.expected) },
      { title: 'Size', isNumber: true, cell: ({ bytes: size }) => bytes(size) },
      { title: 'States', cell: ({ counts }) => inWords(counts) },
    ]}
  />
)

/** Without the slash at its end. */
const folderOf = (prefix: string): string => prefix.replace(/\/$/, '')

/** From the store down, each step a link. */
const Way = ({ store, prefix }: BelowProps) => {
  const steps = prefix.split('/').filter((step) => step !== '')
  return (
    <nav aria-label="The folder, and those above it">
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

type Item = AnswerOf<'/api/v1/views/fixity-items'>['rows'][number]

/** The files directly in the folder, all of them. */
const Items = ({ store, prefix }: BelowProps) => {
  const where = [`store=${store}`, `folder=${folderOf(prefix)}`]
  return (
    <>
      <h2>Files directly here</h2>
      <WindowList<Item>
        name={JSON.stringify(where)}
        caption="Files directly here"
        none="There are none."
        says={(total) => `${plural(total, 'file')}, by state and then by name.`}
        ask={(page, signal) =>
          counted(
            get(
              '/api/v1/views/fixity-items',
              { query: { where, order: ['state', 'path'], total: true, ...page } },
              signal,
            ),
          )
        }
        keyOf={({ path }) => path}
        choosing={itemChoosing}
        columns={[
          {
            title: 'File',
            cell: ({ path }) => <Name text={path.slice(prefix.length)} to={itemAt(store, path)} />,
          },
          { title: 'State', cell: ({ state }) => state },
          {
            title: 'Size',
            cell: ({ size }) => (size === null ? <span class="why">not known</span> : bytes(size)),
          },
          {
            title: 'Last checked',
            cell: ({ lastChecked }) =>
              lastChecked === null ? <span class="why">never</span> : <Time at={lastChecked} />,
          },
        ]}
      />
    </>
  )
}

export default Folders
