import { changed } from '../../address/address.ts'
import { Link as PageLink, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { graphAt } from './addresses.ts'
import type { Graph } from './layout.ts'
import { bridgesOf, isShownAs } from './words.ts'
import { WorkInLine, Works } from './work.tsx'

/** The works and links of a graph, all of them, a line each. */
export const GraphLists = ({ graph }: { readonly graph: Graph }) => {
  const address = useAddress()
  const isBridge = bridgesOf(graph)
  const titles = new Map(graph.nodes.map(({ id, title }) => [id, title]))
  return (
    <>
      <h2>Works</h2>
      <LongList
        caption="Works of the graph"
        rows={graph.nodes}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Work', cell: ({ id }) => <Name text={id} to={graphAt(id)} /> },
          {
            title: 'Title',
            cell: ({ title }) => (title === null ? <span class="why">none</span> : <Name text={title} />),
          },
          {
            title: 'Source',
            cell: ({ source }) => (source === null ? <span class="why">none</span> : <Name text={source} />),
          },
          { title: 'Is', cell: (work) => isShownAs(work, graph.target) },
        ]}
      />
      <h2>Links</h2>
      {graph.links.length === 0 ? (
        <p class="none">It has none: the work is alone.</p>
      ) : (
        <LongList
          caption="Links of the graph"
          rows={graph.links}
          keyOf={({ from, to }) => JSON.stringify([from, to])}
          columns={[
            { title: 'From', cell: ({ from }) => <WorkInLine id={from} title={titles.get(from)} /> },
            { title: 'Says', cell: ({ reasons }) => <Name text={reasons.join(', ')} /> },
            { title: 'Of', cell: ({ to }) => <WorkInLine id={to} title={titles.get(to)} /> },
            { title: 'Since', cell: ({ statedAt }) => <Time at={statedAt} /> },
            {
              title: 'Counts',
              cell: (link) =>
                !link.active ? 'no: an end is deleted' : isBridge(link) ? 'yes, it alone' : 'yes',
            },
            {
              title: 'Preview',
              cell: ({ from, to }) => (
                <PageLink to={changed(address, { from, to, with: undefined })}>What if dropped?</PageLink>
              ),
            },
          ]}
        />
      )}
    </>
  )
}

const whatHappened = {
  first: 'came in',
  joined: 'joined others',
  left: 'left others',
  gained: 'others joined it',
  lost: 'others left it',
} as const

/** Who came and who left, the newest first. */
export const Turns = ({ work }: { readonly work: string }) => (
  <Answer of={useAnswer('/api/v1/matching/works/{work}/history', { path: { work } })}>
    {({ turns }) => (
      <Table
        caption="Joins and splits, the newest first"
        none="Nothing is known of joins and splits."
        rows={turns.toReversed()}
        keyOf={({ version, what }) => `${version} ${what}`}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          { title: 'What', cell: ({ what }) => whatHappened[what] },
          {
            title: 'Who',
            cell: ({ some, titles, count: all }) => (
              <>
                <Works ids={some} titles={titles} />
                {all > some.length && ` and ${count(all - some.length)} more`}
              </>
            ),
          },
          { title: 'Works then', isNumber: true, cell: ({ size }) => count(size) },
          {
            title: 'By the update of',
            cell: ({ causes, titles, caused }) => (
              <>
                <Works ids={causes.map(({ work }) => work)} titles={titles} />
                {caused > causes.length && ` and ${count(caused - causes.length)} more`}
              </>
            ),
          },
        ]}
      />
    )}
  </Answer>
)
