import { type Answer, get } from '../../api/client.ts'
import { listed } from '../../api/view-rows.ts'
import { Name } from '../../parts/name.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { count, plural } from '../../parts/words.ts'
import { findingsAt } from './addresses.ts'
import { clipChoosing } from './place-choosing.tsx'
import { ResearchMenu } from './research-menu.tsx'
import { Upload } from './upload.tsx'

type Clip = Answer<'/api/v1/research/clips'>['clips'][number]

/** Clips that are looked for, and a form for one more. */
const Clips = () => (
  <>
    <h1>Clips</h1>
    <ResearchMenu />
    <Upload />
    <WindowList<Clip>
      name="clips"
      caption="Clips, as they are looked for"
      none="No clip was curated yet."
      says={(total) => `${plural(total, 'clip')}.`}
      ask={(page, signal) => listed('clips', get('/api/v1/research/clips', { query: page }, signal))}
      keyOf={({ clip }) => clip}
      choosing={clipChoosing}
      columns={[
        {
          title: 'Clip',
          cell: ({ clip }) => <Name text={clip} to={findingsAt(clip)} />,
        },
        { title: 'Title', cell: ({ title }) => <Name text={title} /> },
        { title: 'Is', cell: ({ state }) => state },
        { title: 'Priority', cell: ({ priority }) => count(priority) },
        {
          title: 'Looked for in',
          cell: ({ researched, pairs }) => `${count(researched)} of ${count(pairs)}`,
        },
        { title: 'Found in', cell: ({ found }) => count(found) },
        { title: 'Places', cell: ({ occurrences }) => count(occurrences) },
      ]}
    />
  </>
)

export default Clips
