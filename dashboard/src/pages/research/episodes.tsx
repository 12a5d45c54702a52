import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Name } from '../../parts/name.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt } from './addresses.ts'
import { ResearchMenu } from './research-menu.tsx'

const limit = 10_000

/** Episodes in the order in which they are handed out. */
const Episodes = () => (
  <>
    <h1>Episodes</h1>
    <ResearchMenu />
    <Answer of={useAnswer('/api/v1/research/episodes', { query: { limit } })}>
      {({ episodes }, at) => (
        <>
          {episodes.length === 0 ? (
            <p class="none">No episode was curated yet: `fonds research add episodes` does.</p>
          ) : (
            <LongList
              caption="Episodes, as they are handed out"
              rows={episodes}
              keyOf={({ episode }) => episode}
              columns={[
                {
                  title: 'Episode',
                  width: '14rem',
                  cell: ({ episode }) => <Name text={episode} to={episodeAt(episode)} />,
                },
                { title: 'Title', width: 'auto', cell: ({ title }) => <Name text={title} /> },
                { title: 'Is', width: '9rem', cell: ({ state }) => state },
                {
                  title: 'Listened to',
                  width: '11rem',
                  cell: ({ researched, pairs }) => `${count(researched)} of ${count(pairs)}`,
                },
                { title: 'Found', width: '7rem', cell: ({ found }) => count(found) },
              ]}
            />
          )}
          {episodes.length === limit && (
            <p class="why">There are more: the first {count(limit)} are listed.</p>
          )}
          <AsOf at={at} />
        </>
      )}
    </Answer>
  </>
)

export default Episodes
