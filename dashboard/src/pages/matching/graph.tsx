import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count, plural } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { boxesAtFirst, Drawing } from './drawing.tsx'
import { GraphLists, Turns } from './graph-lists.tsx'
import type { Graph } from './layout.ts'
import { LeftOut } from './left-out.tsx'
import './matching.css'
import { MatchingMenu } from './matching-menu.tsx'
import { Resend, StuckOf } from './stuck.tsx'
import { VerdictOn } from './verdict.tsx'
import { WhatIf } from './what-if.tsx'
import { Why } from './why.tsx'
import { Work } from './work.tsx'

/** Most works that are asked for: what the API gives at most. */
const most = 1000

/** The graph of one work: drawn, listed, explained; links are tried and dropped. */
const GraphPage = ({ values: { work = '' } }: PageProps) => {
  const { query } = useAddress()
  const [other, from, to] = ['with', 'from', 'to'].map((name) => query.get(name))
  const asked = useAnswer('/api/v1/matching/graphs/{work}', { path: { work }, query: { most } })
  const title = asked.answered?.data.nodes.find(({ id }) => id === work)?.title
  return (
    <>
      <h1>
        The graph of {title?.trim() ? <Work id={work} title={title} isHere /> : <Name text={work} isWhole />}
      </h1>
      <MatchingMenu />
      <StuckOf work={work} />
      <Answer of={asked}>
        {(graph, at) => (
          <>
            <Sentences graph={graph} at={at} />
            <VerdictOn graph={graph} />
            {other && <Why key={other} a={work} b={other} />}
            {from && to && <WhatIf key={JSON.stringify([from, to])} from={from} to={to} />}
            <Drawing graph={graph} centre={work} />
            <More graph={graph} />
            <GraphLists graph={graph} />
          </>
        )}
      </Answer>
      <LeftOut work={work} />
      <h2>Its past</h2>
      <Turns work={work} />
      <p>
        <HistoryLink id={work} /> <ProveThing id={work} />
      </p>
      <div class="buttons">
        <Resend work={work} />
      </div>
    </>
  )
}

const Sentences = ({ graph, at }: { readonly graph: Graph; readonly at: Date }) => {
  const { nodes, size, target, changedAt, bridge, leftOut } = graph
  const titles = new Map(nodes.map(({ id, title }) => [id, title]))
  return (
    <>
      <p>
        {plural(size, 'work')},{' '}
        {target === null ? (
          size === 1 ? (
            'not shown'
          ) : (
            'none of them is shown for all'
          )
        ) : (
          <>
            shown as <Work id={target} title={titles.get(target)} />
          </>
        )}
        ; last changed <Time at={changedAt} />. <AsOf at={at} />
      </p>
      {bridge && (
        <p>
          One link, from <Work id={bridge.from} title={titles.get(bridge.from)} isHere /> to{' '}
          <Work id={bridge.to} title={titles.get(bridge.to)} isHere />, holds {count(bridge.side)} and{' '}
          {plural(size - bridge.side, 'work')} together.
        </p>
      )}
      {leftOut > 0 && (
        <p class="why">{plural(leftOut, 'work')} further away are not here: look from one that is nearer.</p>
      )}
    </>
  )
}

/** Works that are alike are one box. */
const More = ({ graph: { nodes, alike } }: { readonly graph: Graph }) => {
  const address = useAddress()
  const drawn = Number(address.query.get('drawn')) || boxesAtFirst
  const boxes = nodes.length - alike.reduce((sum, ids) => sum + ids.length - 1, 0)
  return boxes > drawn ? (
    <p>
      The nearest {count(drawn)} of {count(boxes)} boxes are drawn; all works are listed below.{' '}
      <Link to={changed(address, { drawn: String(drawn * 2) })}>Draw more</Link>
    </p>
  ) : null
}

export default GraphPage
