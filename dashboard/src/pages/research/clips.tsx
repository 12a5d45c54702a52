import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Name } from '../../parts/name.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { findingsAt } from './addresses.ts'
import { ResearchMenu } from './research-menu.tsx'
import { Upload } from './upload.tsx'

const limit = 10_000

/** Clips that are looked for, and a form for one more. */
const Clips = () => (
  <>
    <h1>Clips</h1>
    <ResearchMenu />
    <Upload />
    <Answer of={useAnswer('/api/v1/research/clips', { query: { limit } })}>
      {({ clips }, at) => (
        <>
          {clips.length === 0 ? (
            <p class="none">No clip was curated yet.</p>
          ) : (
            <LongList
              caption="Clips, as they are looked for"
              rows={clips}
              keyOf={({ clip }) => clip}
              columns={[
                {
                  title: 'Clip',
                  width: '14rem',
                  cell: ({ clip }) => <Name text={clip} to={findingsAt(clip)} />,
                },
                { title: 'Title', width: 'auto', cell: ({ title }) => <Name text={title} /> },
                { title: 'Is', width: '9rem', cell: ({ state }) => state },
                {
                  title: 'Looked for in',
                  width: '11rem',
                  cell: ({ researched, pairs }) => `${count(researched)} of ${count(pairs)}`,
                },
                { title: 'Found in', width: '8rem', cell: ({ found }) => count(found) },
                { title: 'Places', width: '7rem', cell: ({ occurrences }) => count(occurrences) },
              ]}
            />
          )}
          {clips.length === limit && <p class="why">There are more: the first {count(limit)} are listed.</p>}
          <AsOf at={at} />
        </>
      )}
    </Answer>
  </>
)

export default Clips
