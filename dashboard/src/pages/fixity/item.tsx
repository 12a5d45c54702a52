import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { counted } from '../../api/view-rows.ts'
import { Actor, Recipients } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { Table } from '../../parts/table.tsx'
import { historyAt } from '../../parts/thing.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { certificateAt, folderAt } from './addresses.ts'
import { FixityMenu } from './fixity-menu.tsx'
import { NextFinding } from './next-finding.tsx'
import { Restore } from './restore.tsx'
import { CheckAgain, Revive, Settle } from './settle.tsx'
import { Witnesses } from './witnesses.tsx'

export type Item = AnswerOf<'/api/v1/fixity/item'>

/** One item: its state, what all witnesses said of it, its findings and checks; `?store=…&path=…`. */
const ItemPage = () => {
  const { query } = useAddress()
  const store = query.get('store') ?? ''
  const path = query.get('path') ?? ''
  return (
    <>
      <h1>
        <Name text={path.slice(path.lastIndexOf('/') + 1) || 'An item'} />
      </h1>
      <FixityMenu />
      <Answer of={useAnswer('/api/v1/fixity/item', { query: { store, path } })}>
        {(item, at) => (
          <>
            <p>
              <Name text={`${store}/${path}`} isWhole /> is <strong>{item.state}</strong>
              {item.isLate && ', and its next check is overdue'}. {item.means}
            </p>
            <ItemFacts item={item} />
            <div class="buttons">
              <CheckAgain store={store} path={path} />
              {item.state === 'parked' && <Revive store={store} path={path} />}
              <AcceptContent item={item} />
              {item.decision?.pattern.startsWith('n') && (
                <Restore
                  store={store}
                  path={path}
                  amount={item.size === null ? 'Its size is not known.' : `It has ${bytes(item.size)}.`}
                />
              )}
              <Link to={certificateAt(store, path)}>Certificate</Link>
              <Link to={folderAt(store, folderOf(path))}>Its folder</Link>
              <Link to={historyAt(`${store}/${path}`)}>Its history</Link>
              <ProveThing id={`${store}/${path}`} />
            </div>
            <NextFinding store={store} path={path} />
            <LastDecision item={item} />
            <FindingsOf item={item} />
            <Checks item={item} />
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

const timeOr = (time: string | null, none: string) => (time === null ? none : <Time at={time} />)

export const ItemFacts = ({ item }: { readonly item: Item }) => (
  <dl class="facts">
    <dt>Last good day</dt>
    <dd>{timeOr(item.lastVerified, 'never')}</dd>
    <dt>Last checked</dt>
    <dd>{timeOr(item.lastChecked, 'never')}</dd>
    <dt>Next check due</dt>
    <dd>{timeOr(item.due, 'none')}</dd>
    <dt>Recorded</dt>
    <dd>
      {timeOr(item.recordedAt, 'never')}
      {item.recordedFrom !== null && (
        <>
          , from <Name text={item.recordedFrom} />
        </>
      )}
    </dd>
    <dt>Size</dt>
    <dd>{item.size === null ? 'not recorded' : sizeWords(item.size)}</dd>
  </dl>
)

/** To the byte, which is said once. */
const sizeWords = (size: number): string =>
  size < 1000 ? plural(size, 'byte') : `${bytes(size)} (${count(size)} bytes)`

const AcceptContent = ({ item: { store, path, lastChecked } }: { readonly item: Item }) => (
  <Command
    name="fixity.accept"
    input={{ store, path }}
    verb="Make it the record"
    says="Declares what was last read to be right: it becomes the audit log’s word, and the item counts as accepted, never as verified."
    cannot={lastChecked === null ? 'It was never read.' : undefined}
  />
)

const LastDecision = ({ item: { decision } }: { readonly item: Item }) => (
  <section aria-labelledby="witnesses">
    <h2 id="witnesses">Evidence</h2>
    {decision === null ? (
      <p class="none">Nobody ever looked at it.</p>
    ) : (
      <>
        <p>
          <strong>{decision.outcome}</strong>, by {decision.row} (<code>{decision.pattern}</code>
          ): {decision.because} Observed <Time at={decision.observedAt} />;{' '}
          <Link to={`/log/events/${decision.position}`}>{`event ${decision.position}`}</Link>.
        </p>
        <Witnesses witnesses={decision.witnesses} />
      </>
    )}
  </section>
)

/** Rows of a view about the item alone. */
const ofItem = ({ store, path }: Item) => [`store=${store}`, `path=${path}`]

type Finding = AnswerOf<'/api/v1/views/fixity-resolutions'>['rows'][number]

const FindingsOf = ({ item }: { readonly item: Item }) => (
  <section aria-labelledby="findings">
    <h2 id="findings">Findings</h2>
    <Paged
      name={`findings ${item.store}/${item.path}`}
      caption="Findings"
      ask={(page, signal) => {
        const query = { where: ofItem(item), order: ['-openedAt'], total: true, ...page }
        return counted(get('/api/v1/views/fixity-resolutions', { query }, signal))
      }}
    >
      {({ rows }) => (
        <>
          {rows.length === 0 && <p class="none">There never was one.</p>}
          {rows.map((finding) => (
            <FindingOf key={finding.resolution} finding={finding} />
          ))}
        </>
      )}
    </Paged>
  </section>
)

const FindingOf = ({ finding }: { readonly finding: Finding }) => {
  const { store, path, resolution, status, summary, row, openedAt, closedAt, how, actor, reason, assignee } =
    finding
  return (
    <article>
      <p>
        <Time at={openedAt ?? ''} />: {summary} <small>({row})</small>
      </p>
      {status === 'open' && assignee !== null && (
        <p>
          Given to <Recipients of={[String(assignee)]} />.
        </p>
      )}
      {status === 'open' ? (
        <Settle store={store} path={path} resolution={resolution} />
      ) : (
        <p>
          Settled {closedAt !== null && <Time at={closedAt} />} as {how}
          {actor !== null && (
            <>
              {' '}
              by <Actor text={actor} />
            </>
          )}
          {reason !== null && (
            <>
              : <Name text={reason} />
            </>
          )}
        </p>
      )}
    </article>
  )
}

const Checks = ({ item }: { readonly item: Item }) => (
  <>
    <h2>Checks</h2>
    <p>{resultsInWords(item.results)}</p>
    <Paged
      name={`checks ${item.store}/${item.path}`}
      caption="Checks"
      ask={(page, signal) => {
        const query = { where: ofItem(item), order: ['-position'], total: true, ...page }
        return counted(get('/api/v1/views/fixity-bit-log', { query }, signal))
      }}
    >
      {({ rows }) => (
        <Table
          caption="All checks, the newest first"
          none="None has finished."
          rows={rows}
          keyOf={({ position }) => String(position)}
          columns={[
            { title: 'Observed', cell: ({ at }) => <Time at={at ?? ''} /> },
            {
              title: 'Result',
              cell: ({ result, unread }) =>
                `${(result ?? '').toLowerCase()}${unread === 1 ? ', unread' : ''}`,
            },
            { title: 'Why', cell: ({ because, row }) => `${because ?? ''} (${row})` },
            {
              title: 'Event',
              isNumber: true,
              cell: ({ position }) => <Link to={`/log/events/${position}`}>{String(position)}</Link>,
            },
          ]}
        />
      )}
    </Paged>
  </>
)

export const resultsInWords = (results: Item['results']): string =>
  results.length === 0
    ? 'No check of it has finished.'
    : `Finished checks: ${results.map(resultInWords).join(', ')}.`

const resultInWords = ({ result, count: n, unread }: Item['results'][number]): string =>
  `${result.toLowerCase()} ${count(n)}${unread > 0 ? ` (${count(unread)} without reading it)` : ''}`

export default ItemPage
