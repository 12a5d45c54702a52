import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { ChangeTable } from './change-table.tsx'
import { type Between, diffQuery } from './diff.ts'

const pageSize = 50

/** What differs in one view, page by page in the order of its key. */
export const OneView = ({ view, between }: { readonly view: string; readonly between: Between }) => {
  const address = useAddress()
  const after = address.query.get('after') ?? undefined
  const query = { ...diffQuery(between, pageSize), ...(after !== undefined && { after }) }
  return (
    <>
      <h2>
        <Name text={view} />
      </h2>
      <Answer of={useAnswer('/api/v1/views/{view}/diff', { path: { view }, query })}>
        {(diff) => (
          <>
            {diff.changes.length === 0 && (
              <p class="none">
                {diff.next === null
                  ? `Nothing${after === undefined ? '' : ' more'} is different.`
                  : 'The rows looked at were written anew as they were; go on looking.'}
              </p>
            )}
            <ChangeTable diff={diff} />
            <nav aria-label="Pages of what differs">
              <ul>
                {after !== undefined && (
                  <li>
                    <Link to={changed(address, { after: undefined })}>From the first row on</Link>
                  </li>
                )}
                {diff.next !== null && (
                  <li>
                    <Link to={changed(address, { after: diff.next })}>Further rows</Link>
                  </li>
                )}
              </ul>
            </nav>
          </>
        )}
      </Answer>
    </>
  )
}
