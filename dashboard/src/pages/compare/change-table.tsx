import { pathOf } from '../../address/address.ts'
import { Link } from '../../address/use-address.tsx'
import { Actor } from '../../parts/actor.tsx'
import { Json } from '../../parts/json.tsx'
import { Name } from '../../parts/name.tsx'
import { count } from '../../parts/words.ts'
import type { Change, Diff } from './diff.ts'
import { kindWords, valueWords } from './words.ts'

/** Rows that came, went or changed: what of them, and by which events. */
export const ChangeTable = ({ diff: { view, changes } }: { readonly diff: Diff }) =>
  changes.length === 0 ? null : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scrolls" tabIndex={0} aria-label={`What differs in ${view}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">It</th>
            <th scope="col">What of it</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={JSON.stringify(change.key)}>
              <td>
                <Name text={Object.values(change.key).map(valueWords).join(' / ')} />
              </td>
              <td>{kindWords(change.kind)}</td>
              <td>
                <What change={change} />
              </td>
              <td>
                <Events events={change.events} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )

const What = ({ change: { kind, before, after, columns } }: { readonly change: Change }) =>
  kind === 'changed' ? (
    <ul class="plain">
      {columns.map((column) => (
        <li key={column}>
          {column}: <Name text={valueWords(before?.[column])} /> → <Name text={valueWords(after?.[column])} />
        </li>
      ))}
    </ul>
  ) : (
    <details>
      <summary>the row as it {kind === 'came' ? 'is' : 'was'}</summary>
      <Json value={after ?? before} says="The row" />
    </details>
  )

/** Most events that a row names: the answer has no more. */
const mostEvents = 20

const Events = ({ events }: Pick<Change, 'events'>) => (
  <ul class="plain">
    {events.map(({ position, type, actor }) => (
      <li key={position}>
        <Link to={pathOf('/log/events/:position', { position })}>
          {count(position)} {type}
        </Link>{' '}
        by <Actor text={actor} />
      </li>
    ))}
    {events.length === mostEvents && <li class="why">There may be more than these {mostEvents}.</li>}
    {events.length === 0 && <li class="why">They are no longer in the log.</li>}
  </ul>
)
