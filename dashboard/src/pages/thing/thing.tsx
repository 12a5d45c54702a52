import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { historyAt } from '../../parts/thing.tsx'
import { AsOf } from '../../parts/time.tsx'
import type { PageProps } from '../../shell/lazy.tsx'
import { Timeline } from './timeline.tsx'

const pageSize = 100

/** All that ever happened to one thing, in whatever workflow. Its id, the order and the place stand in the address. */
const Thing = ({ values: { id = '' } }: PageProps) => {
  const address = useAddress()
  const past = usePast()
  const { query } = address
  const isOldestFirst = query.has('oldest')
  const isAlone = query.has('alone')
  const from = query.get('from') ?? '0'
  const before = query.get('before') ?? 'end'
  const shown = useAnswer('/api/v1/history/{id}', {
    path: { id },
    query: {
      ...(isOldestFirst ? { from } : { before }),
      related: !isAlone,
      limit: pageSize,
    },
  })
  const to = (changes: Parameters<typeof changed>[1]) =>
    changed(address, { from: undefined, before: undefined, ...changes })
  return (
    <>
      <h1>
        <Name text={id} isWhole />
      </h1>
      <p>
        <ProveThing id={id} />
      </p>
      <nav aria-label="Order">
        <ul>
          <li>
            <Link to={to({ oldest: undefined })} current={!isOldestFirst}>
              Newest first
            </Link>
          </li>
          <li>
            <Link to={to({ oldest: '1' })} current={isOldestFirst}>
              Oldest first
            </Link>
          </li>
          <li>
            <Link to={to({ alone: undefined })} current={!isAlone}>
              With what it belongs to
            </Link>
          </li>
          <li>
            <Link to={to({ alone: '1' })} current={isAlone}>
              By itself
            </Link>
          </li>
        </ul>
      </nav>
      <Answer of={shown}>
        {({ events, related, next, more }, at) => (
          <>
            {related.length > 0 && (
              <details open={related.length <= 10}>
                <summary>
                  {isAlone ? 'It belongs to' : 'Told with it'}: {related.length}
                </summary>
                {past && (
                  <p class="of-now">Which things these are is as of now; what is told of them is not.</p>
                )}
                <ul>
                  {related.map((one) => (
                    <li key={one.id}>
                      <Name text={one.id} to={historyAt(one.id)} />: {one.says}
                    </li>
                  ))}
                </ul>
              </details>
            )}
            <Timeline events={events} />
            {more && (
              <p>
                <Link to={to(isOldestFirst ? { from: next } : { before: next })}>
                  {isOldestFirst ? 'Later events' : 'Earlier events'}
                </Link>
              </p>
            )}
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

export default Thing
