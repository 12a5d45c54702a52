import { type Answer, get } from '../../api/client.ts'
import { listed } from '../../api/view-rows.ts'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { fileAt } from './addresses.ts'
import { RescueFile, SalvageFile } from './file-acts.tsx'
import { fileChoosing } from './file-choosing.ts'
import { FileState } from './file-state.tsx'

type FailedFile = Answer<'/api/v1/indexing/failed'>['failed'][number]

/** What could not be indexed, with its reason, and what a person may do. */
export const Failed = () => (
  <Paged
    name="failed"
    caption="Failed and parked"
    ask={(page, signal) => listed('failed', get('/api/v1/indexing/failed', { query: page }, signal))}
  >
    {({ rows, total }, page) => (
      <ActTable<FailedFile>
        {...page}
        total={total}
        choosing={fileChoosing}
        caption="Failed and parked, the most failures first"
        none="No file failed."
        rows={rows}
        keyOf={({ repository, name }) => `${repository}/${name}`}
        columns={columns}
      />
    )}
  </Paged>
)

const columns: readonly Column<FailedFile>[] = [
  {
    title: 'File',
    cell: (file) => <Name text={`${file.repository}/${file.name}`} to={fileAt(file)} />,
  },
  { title: 'State', cell: ({ state }) => <FileState state={state} /> },
  { title: 'Failures', isNumber: true, cell: ({ failures }) => count(failures) },
  {
    title: 'Why',
    cell: ({ because, offset }) => (
      <span class="sentence">
        <Name text={because ?? 'no reason is known'} />
        {offset !== null && ` (at byte ${count(offset)})`}
      </span>
    ),
  },
  {
    title: 'Not found since',
    cell: ({ unpublishedSince, discoveredAt }) => <Time at={unpublishedSince ?? discoveredAt} />,
  },
  {
    title: 'What may help',
    cell: (file) => <Help file={file} />,
  },
]

const Help = ({ file }: { readonly file: FailedFile }) => {
  const isDamaged = file.code === 'truncated' || file.code === 'corrupt'
  return (
    <>
      {file.state === 'parked' ? (
        <RescueFile file={file} />
      ) : file.due === null ? (
        'It is read when a list shows it again.'
      ) : (
        <>
          It is tried again by itself, from <Time at={file.due} form="when" /> on.
        </>
      )}{' '}
      {isDamaged && <SalvageFile file={file} />}
    </>
  )
}
