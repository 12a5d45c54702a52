import type { Answer } from '../../api/client.ts'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt } from './addresses.ts'

type Tries = Pick<
  Answer<'/api/v1/research/progress'>,
  'waiting' | 'nextTries' | 'parked' | 'firstParked' | 'at'
>
type Failed = Pick<Tries['nextTries'][number], 'subject' | 'episode' | 'clip' | 'error'>

/** What failed: when its next try is, or that it has none, and why it failed. */
export const NextTries = ({ waiting, nextTries, parked, firstParked, at: now }: Tries) =>
  waiting + parked > 0 && (
    <section class="why" aria-label="What failed, and its next try">
      {waiting > 0 && (
        <>
          <p>{count(waiting)} failed and will be tried again; the time above leaves out what they hold:</p>
          <ul>
            {nextTries.map(({ at, ...one }) => (
              <li key={keyOf(one)}>
                <What {...one} />, {at > now ? 'next try' : 'its next try is due since'}{' '}
                <Time at={at} form="when" />: <Because {...one} />
              </li>
            ))}
            {waiting > nextTries.length && <li>and {count(waiting - nextTries.length)} later</li>}
          </ul>
        </>
      )}
      {parked > 0 && (
        <>
          <p>{count(parked)} failed too often and will not be tried again by itself:</p>
          <ul>
            {firstParked.map(({ parkedAt, ...one }) => (
              <li key={keyOf(one)}>
                <What {...one} />, since <Time at={parkedAt} form="when" />: <Because {...one} />
              </li>
            ))}
            {parked > firstParked.length && <li>and {count(parked - firstParked.length)} more, below</li>}
          </ul>
        </>
      )}
    </section>
  )

const keyOf = ({ subject, episode, clip }: Failed): string => `${subject} ${episode} ${clip}`

const What = ({ subject, episode, clip }: Failed) => (
  <>
    {subject}{' '}
    <Name
      text={[episode, clip].filter((id) => id !== undefined).join(' × ')}
      {...(episode !== undefined && { to: episodeAt(episode) })}
    />
  </>
)

const Because = ({ error }: Failed) => <Name text={error} isWhole={error.length <= 400} />
