import type { Answer } from '../../api/client.ts'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'

type Tries = Pick<Answer<'/api/v1/research/progress'>, 'waiting' | 'nextTries'>

/** What failed and waits for its next try: when that is, and why it failed. */
export const NextTries = ({ waiting, nextTries }: Tries) =>
  waiting > 0 && (
    <section class="why" aria-label="Waits for its next try">
      <p>{count(waiting)} failed and will be tried again; the time above leaves out what they hold:</p>
      <ul>
        {nextTries.map(({ subject, episode, clip, at, error }) => (
          <li key={`${subject} ${episode} ${clip}`}>
            {subject} <Name text={[episode, clip].filter((id) => id !== undefined).join(' × ')} />, at{' '}
            <Time at={at} />: <Name text={error} isWhole={error.length <= 400} />
          </li>
        ))}
        {waiting > nextTries.length && <li>and {count(waiting - nextTries.length)} later</li>}
      </ul>
    </section>
  )
