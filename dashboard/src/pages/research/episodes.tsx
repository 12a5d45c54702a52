import { type Answer, get } from '../../api/client.ts'
import { listed } from '../../api/view-rows.ts'
import { Name } from '../../parts/name.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { count, plural } from '../../parts/words.ts'
import { episodeAt } from './addresses.ts'
import { episodeChoosing } from './place-choosing.tsx'
import { ResearchMenu } from './research-menu.tsx'

type Episode = Answer<'/api/v1/research/episodes'>['episodes'][number]

/** Episodes in the order in which they are handed out. */
const Episodes = () => (
  <>
    <h1>Episodes</h1>
    <ResearchMenu />
    <WindowList<Episode>
      name="episodes"
      caption="Episodes, as they are handed out"
      none="No episode was curated yet: `fonds research add episodes` does."
      says={(total) => `${plural(total, 'episode')}.`}
      ask={(page, signal) => listed('episodes', get('/api/v1/research/episodes', { query: page }, signal))}
      keyOf={({ episode }) => episode}
      choosing={episodeChoosing}
      columns={[
        {
          title: 'Episode',
          cell: ({ episode }) => <Name text={episode} to={episodeAt(episode)} />,
        },
        { title: 'Title', cell: ({ title }) => <Name text={title} /> },
        { title: 'Is', cell: ({ state }) => state },
        { title: 'Priority', cell: ({ priority }) => count(priority) },
        {
          title: 'Listened to',
          cell: ({ researched, pairs }) => `${count(researched)} of ${count(pairs)}`,
        },
        { title: 'Found', cell: ({ found }) => count(found) },
      ]}
    />
  </>
)

export default Episodes
