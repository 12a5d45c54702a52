import { inPresent } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Past } from '../../api/past.ts'
import { count, moment } from '../../parts/words.ts'
import type { Around } from './around.ts'

interface BannerProps {
  readonly past: Past
  readonly around: Around
}

/** That the past is shown, of when, and the ways out of it. */
export const Banner = ({ past: { at, time }, around: { event } }: BannerProps) => (
  <section class="past" aria-label="The past">
    <p role="status">
      <strong>
        ◷ The past: as of {moment(time)}
        {event && `, event ${count(event.position)}`}.
      </strong>{' '}
      Commands are off.{' '}
      {event === null
        ? 'Nothing had happened yet.'
        : 'What came later is left out, but for what says that it is as of now.'}
    </p>
    <nav aria-label="Out of the past">
      <ul>
        <li>
          <Link to={inPresent(useAddress())}>Back to now</Link>
        </li>
        <li>
          <Link to={`/compare?since=${encodeURIComponent(at)}&at=`}>What changed since</Link>
        </li>
      </ul>
    </nav>
  </section>
)
