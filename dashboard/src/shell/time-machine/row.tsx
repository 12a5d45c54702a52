import { changed, inPresent } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Past } from '../../api/past.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Icon } from '../../parts/icon.tsx'
import { useTimeMachine } from './context.ts'
import { MomentField, StandsOn, Steps } from './fields.tsx'
import { Slider } from './slider.tsx'

/** One row: of when the page is, steps from event to event, a slider over the log, and the ways out of the past. */
export const Row = () => {
  const { shown } = useTimeMachine()
  const address = useAddress()
  const { past, around } = shown.kind === 'past' ? shown : {}
  const { answered: now } = useAnswer('/api/v1/events/moment')
  const known = around ?? now?.data
  const to = (at: string) => changed(address, { at })
  return (
    <section class={past ? 'then past' : 'then'} aria-label={past ? 'The past' : 'Time machine'}>
      <MomentField label={past ? 'As it was' : 'Time machine'} time={past?.time} to={to} />
      {!known ? (
        <p class="waiting">Asking …</p>
      ) : !known.first || !known.last ? (
        <p class="none">The log has no events yet: there is no past.</p>
      ) : (
        <>
          <Steps around={known} to={to} />
          <Slider
            stands={past?.at ?? 'now'}
            time={past?.time ?? new Date(known.last.recordedAt)}
            says={<StandsOn event={known.event} isPast={past !== undefined} />}
            to={to}
          />
        </>
      )}
      {past && <Out past={past} />}
    </section>
  )
}

const Out = ({ past: { at } }: { readonly past: Past }) => (
  <nav aria-label="Out of the past">
    <Link class="button" to={`/compare?since=${encodeURIComponent(at)}&at=`}>
      <Icon of="compare" />
      What changed since
    </Link>
    <Link class="button main" to={inPresent(useAddress())}>
      Back to now
    </Link>
    <span class="unseen" role="status">
      The past is shown: commands are off.
    </span>
  </nav>
)
