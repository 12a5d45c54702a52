import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Print } from '../../parts/print.tsx'
import { Time } from '../../parts/time.tsx'
import { itemAt } from './addresses.ts'
import { type Item, ItemFacts, resultsInWords } from './item.tsx'
import { Witnesses } from './witnesses.tsx'

/** A sheet to print and keep: what is known of one item, from which events. */
const Certificate = () => {
  const { query } = useAddress()
  const store = query.get('store') ?? ''
  const path = query.get('path') ?? ''
  return (
    <article class="sheet">
      <h1>Fixity certificate</h1>
      <Answer of={useAnswer('/api/v1/fixity/item', { query: { store, path } })}>
        {(item) => (
          <>
            <p>
              <Name text={`${store}/${path}`} isWhole />
            </p>
            <p class="verdict">{verdictOf(item)}</p>
            <ItemFacts item={item} />
            {item.decision === null ? (
              <p>Nobody ever looked at it.</p>
            ) : (
              <>
                <p>
                  Decided by {item.decision.row} (<code>{item.decision.pattern}</code>):{' '}
                  {item.decision.because} This is event {item.decision.position} of the log.
                </p>
                <Witnesses witnesses={item.decision.witnesses} />
              </>
            )}
            <p>{resultsInWords(item.results)}</p>
            <FindingsSaid item={item} />
            <p>
              Made <Time at={item.at} form="whole" /> (<code>{item.at}</code>) from the events of{' '}
              <code>fixity-</code>
              <Name text={`${store}/${path}`} isWhole />.
            </p>
          </>
        )}
      </Answer>
      <div class="buttons">
        <Print />
        <Link to={itemAt(store, path)}>The item</Link>
      </div>
    </article>
  )
}

/** `verified` is said of what is verified now, and of nothing else. */
const verdictOf = ({ state, means, isLate }: Item): string => {
  if (state === 'verified' && !isLate) return `Verified. ${means}`
  if (state === 'verified') return `Was verified, and its next check is overdue. ${means}`
  return `Not verified: it is ${state}. ${means}`
}

const FindingsSaid = ({ item: { findings } }: { readonly item: Item }) =>
  findings.length === 0 ? (
    <p>There never was a finding.</p>
  ) : (
    <ul>
      {findings.map(({ resolution, openedAt, summary, status, how, closedAt, actor, reason }) => (
        <li key={resolution}>
          <Time at={openedAt} form="whole" />: {summary}{' '}
          {status === 'open' ? (
            'Open.'
          ) : (
            <>
              Settled {closedAt !== null && <Time at={closedAt} form="whole" />} as {how}
              {actor !== null && (
                <>
                  {' by '}
                  <Actor text={actor} />
                </>
              )}
              {reason !== null && (
                <>
                  : <Name text={reason} />
                </>
              )}
              .
            </>
          )}
        </li>
      ))}
    </ul>
  )

export default Certificate
