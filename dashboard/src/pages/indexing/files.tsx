import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, type Asking, get } from '../../api/client.ts'
import { listed } from '../../api/view-rows.ts'
import { Name } from '../../parts/name.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { Time } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { fileAt } from './addresses.ts'
import { fileChoosing } from './file-choosing.ts'
import { FileState, fileStates } from './file-state.tsx'
import { IndexingMenu } from './menu.tsx'

type File = AnswerOf<'/api/v1/indexing/files'>['files'][number]
type Query = NonNullable<Asking<'/api/v1/indexing/files'>['query']>

/** All archive files, however many; what is chosen stands in the address. */
const Files = () => {
  const { query } = useAddress()
  const state = Object.keys(fileStates).find((one) => one === query.get('state'))
  const repository = query.get('repository') ?? undefined
  return (
    <>
      <h1>Archive files</h1>
      <IndexingMenu />
      <Choice state={state} repository={repository} />
      <SavedViews />
      <List
        asked={
          {
            ...(state === undefined ? { order: 'name' } : { state, order: 'recent' }),
            ...(repository !== undefined && { repository }),
          } as Query
        }
      />
    </>
  )
}

interface ChoiceProps {
  readonly state: string | undefined
  readonly repository: string | undefined
}

const Choice = ({ state, repository }: ChoiceProps) => {
  const address = useAddress()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = new FormData(event.currentTarget as HTMLFormElement)
    const field = (name: string) => String(asked.get(name)).trim()
    go(changed(address, { state: field('state'), repository: field('repository') }))
  }
  return (
    <form class="row" onSubmit={submit} key={`${state} ${repository}`}>
      <label>
        State
        <select name="state">
          <option value="">any</option>
          {Object.keys(fileStates).map((one) => (
            <option key={one} value={one} selected={one === state}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <label>
        Repository
        <input name="repository" defaultValue={repository ?? ''} placeholder="any" />
      </label>
      <button type="submit">Show</button>
    </form>
  )
}

const List = ({ asked }: { readonly asked: Query }) => (
  <WindowList<File>
    name={JSON.stringify(asked)}
    caption="Archive files"
    none="There is no such file."
    says={(total) =>
      `${plural(total, 'file')}, ${asked.order === 'name' ? 'by name' : 'the most recent first'}.`
    }
    ask={(page, signal) =>
      listed('files', get('/api/v1/indexing/files', { query: { ...asked, ...page } }, signal))
    }
    keyOf={({ repository, name }) => `${repository}/${name}`}
    choosing={fileChoosing}
    columns={[
      {
        title: 'File',
        cell: (file) => <Name text={`${file.repository}/${file.name}`} to={fileAt(file)} />,
      },
      { title: 'State', cell: ({ state }) => <FileState state={state} /> },
      {
        title: 'Lines',
        cell: ({ lines }) => (lines === null ? <span class="why">none</span> : count(lines)),
      },
      {
        title: 'Size',
        cell: ({ size }) => (size === null ? <span class="why">not known</span> : bytes(size)),
      },
      {
        title: 'Changed',
        cell: ({ modifiedAt, discoveredAt }) => <Time at={modifiedAt ?? discoveredAt} />,
      },
      {
        title: 'Indexed',
        cell: ({ indexedAt }) =>
          indexedAt === null ? <span class="why">not yet</span> : <Time at={indexedAt} />,
      },
    ]}
  />
)

export default Files
