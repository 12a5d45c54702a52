import { useAddress } from '../address/use-address.tsx'
import { useLive } from '../api/live.tsx'
import { clock } from '../parts/words.ts'
import { wantedIn } from './time-machine/moment.ts'

/** Whether what is shown is still true. */
export const Connection = () => {
  const { connection, lostSince } = useLive()
  const isPast = wantedIn(useAddress().query).kind === 'past'
  return (
    <p class={`connection ${connection}`} role="status">
      {connection === 'live' && (isPast ? <>◷ Not followed: the past stays as it is</> : <>● Live</>)}
      {connection === 'connecting' && <>○ Connecting …</>}
      {connection === 'lost' && (
        <>
          ■ The server is not heard since {clock(lostSince ?? new Date())}. What is shown may be old; the page
          tries again by itself.
        </>
      )}
    </p>
  )
}
