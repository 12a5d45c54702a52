import { useAddress } from '../address/use-address.tsx'
import { useLive } from '../api/live.tsx'
import { Shape } from '../parts/state.tsx'
import { clock } from '../parts/words.ts'
import { wantedIn } from './time-machine/moment.ts'

/** Whether what is shown is still true. */
export const Connection = () => {
  const { connection } = useLive()
  const isPast = wantedIn(useAddress().query).kind === 'past'
  return (
    <p class={`connection ${connection}`} role="status">
      {connection === 'live' && (isPast ? <Paused /> : <Dot says="Live" />)}
      {connection === 'connecting' && <Dot says="Connecting …" />}
      {connection === 'lost' && (
        <>
          <Shape of="away" /> Not heard
        </>
      )}
    </p>
  )
}

const Dot = ({ says }: { readonly says: string }) => (
  <>
    <span class="dot" aria-hidden="true" />
    {says}
  </>
)

const Paused = () => (
  <>
    <Shape of="held" /> Not followed
  </>
)

/** Above the page, while the server is not heard: since when, and that what is shown may be old. */
export const Lost = () => {
  const { connection, lostSince } = useLive()
  return connection === 'lost' ? (
    <p class="of-now lost" role="status">
      <strong>The server is not heard since {clock(lostSince ?? new Date())}.</strong> What is shown may be
      old; the page tries again by itself.
    </p>
  ) : null
}
