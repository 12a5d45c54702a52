import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { OfNowNote } from '../../parts/of-now.tsx'
import { State } from '../../parts/state.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { plural } from '../../parts/words.ts'
import { type Stopped, stoppedIn } from './stopped.ts'

interface HouseProps {
  /** Messages that could not be used. */
  readonly letters: number
}

/** Whether Fonds itself is well: its stores, its views, messages that could not be used. */
export const House = ({ letters }: HouseProps) => {
  const { answered: ready, problem, ofNow } = useAnswer('/readyz')
  const { answered: topics } = useAnswer('/api/v1/topics')
  const unread = (topics?.data.topics ?? []).flatMap(({ groups }) =>
    groups.filter(({ lag, members }) => lag !== '0' && members.length === 0),
  )
  const unreadMessages = unread.reduce((sum, { lag }) => sum + Number(lag), 0)
  const stopped = ready ? stoppedIn(ready.data) : []
  return (
    <>
      <OfNowNote is={ofNow === 'none' ? 'none' : 'part'} />
      <ul class="house">
        {problem ? (
          <li>
            <State is={problem.code === 'no-answer' ? 'not known' : 'stopped'} />: {problem.detail}.
          </li>
        ) : (
          ready && (
            <li>
              <State is="well" words="Fonds is well" />: the stores answer, and the views are caught up.{' '}
              <AsOf at={ready.at} />
            </li>
          )
        )}
        {letters > 0 && (
          <li>
            <State is="needs somebody" />:{' '}
            <Link to="/log/dead-letters">{plural(letters, 'message')} could not be used</Link>
          </li>
        )}
        {unreadMessages > 0 && (
          <li>
            <State is="stopped" />:{' '}
            <Link to="/log/groups">
              {plural(unreadMessages, 'message waits', 'messages wait')} and nobody reads
            </Link>
            , does a process with the role processors run?
          </li>
        )}
        {stopped.map((one) => (
          <li key={`${one.says} ${one.place?.words}`}>
            <State is="needs somebody" words="Fonds needs somebody" />: <Standing {...one} />.
          </li>
        ))}
      </ul>
    </>
  )
}

const Standing = ({ says, place, since, because }: Stopped) => (
  <>
    {says}
    {place && (
      <>
        {' '}
        <Link to={place.to}>{place.words}</Link>
      </>
    )}
    {since !== undefined && (
      <>
        , since <Time at={since} form="when" />
      </>
    )}
    {because !== undefined && `: ${because}`}
  </>
)
