import { Link } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Numbers } from '../../parts/numbers.tsx'
import { State } from '../../parts/state.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { folderAt } from './addresses.ts'
import { DayChart, Legend } from './day-chart.tsx'
import { costOf, isBucket, whereItIs } from './place.ts'
import { RestoreStore } from './restore.tsx'
import { inWords } from './states.ts'

type Store = AnswerOf<'/api/v1/fixity/stores'>['stores'][number]

/** Each store: whether it is there, how far its checks have come round, and how its items were of late. */
export const Stores = () => (
  <Answer of={useAnswer('/api/v1/fixity/stores', { query: { days: 30 } })}>
    {({ stores }, at) => (
      <>
        <Totals stores={stores} />
        <section class="bare" aria-labelledby="stores">
          <h2 id="stores">Stores</h2>
          {stores.length === 0 && (
            <p class="none">
              No store is known. <code>fonds fixity add &lt;folder&gt;</code>, or{' '}
              <code>s3://bucket/prefix</code>, records what is in one.
            </p>
          )}
          <ul class="cards">
            {stores.map((store) => (
              <li class="workflow card" key={store.store}>
                <StoreCard store={store} />
              </li>
            ))}
          </ul>
          <AsOf at={at} />
        </section>
      </>
    )}
  </Answer>
)

/** Of all stores: how many items are as recorded, and how many want somebody. */
const Totals = ({ stores }: { readonly stores: readonly Store[] }) => {
  const total = (of: keyof Store['counts']) => stores.reduce((sum, { counts }) => sum + counts[of], 0)
  const all = total('expected')
  if (all === 0) return null
  const share = ((total('verified') / all) * 100).toFixed(1)
  const wrong = total('failed') + total('lost')
  return (
    <Numbers
      of={[
        { label: 'Verified', value: count(total('verified')), says: `${share} % of ${plural(all, 'item')}` },
        {
          label: 'Not as recorded',
          value: count(wrong),
          says: `${count(total('lost'))} of them given up as lost`,
          tone: wrong > 0 ? 'bad' : undefined,
        },
        {
          label: 'Late or parked',
          value: count(total('late') + total('parked')),
          says: `${count(total('suspect'))} suspect`,
          tone: total('late') + total('parked') > 0 ? 'warn' : undefined,
        },
        {
          label: 'Baselined',
          value: count(total('baselined')),
          says: `${count(total('accepted'))} accepted`,
        },
        {
          label: 'Nothing known',
          value: count(total('unchecked') + total('unverified') + total('unread')),
          says: `${count(total('unchecked'))} never checked, ${count(total('unread'))} not read`,
        },
      ]}
    />
  )
}

const StoreCard = ({ store }: { readonly store: Store }) => {
  const { store: name, root, standing, counts, days } = store
  return (
    <>
      <h3>
        <Name text={name} to={folderAt(name)} />{' '}
        {root !== null && (
          <small>
            <Name text={root} />
          </small>
        )}
      </h3>
      <Standing store={store} />
      <p>
        {plural(counts.expected, 'item')}: {inWords(counts)}.
      </p>
      <p class="why">
        <Cycle store={store} />
      </p>
      <Budget budget={store.budget} />
      {store.askedInAll !== null && (
        <p>Asked of its bucket in the last 30 days (UTC): {store.askedInAll.sentence}.</p>
      )}
      {days.length > 0 && <DayChart store={name} days={days} />}
      <Legend counts={counts} />
      <div class="buttons">
        <Act
          verb={`Check all of ${name}`}
          says={`Wants all ${plural(counts.expected, 'item')} of the store checked now, ahead of the schedule.${costOf(store)}`}
          cannot={
            standing === 'away' ? 'It is away: its checks go on by themselves when it is back.' : undefined
          }
          act={({ key, ...by }) =>
            post('/api/v1/commands/fixity.check-store', { body: { input: { store: name }, ...by }, key })
          }
        />
        {counts.parked > 0 && (
          <Act
            verb={`Try ${plural(counts.parked, 'parked check')} again`}
            says="Puts the checks that failed too often back to work."
            act={({ key, ...by }) =>
              post('/api/v1/commands/fixity.revive', { body: { input: { store: name }, ...by }, key })
            }
          />
        )}
        {isBucket(root) && <RestoreStore store={name} />}
        <Link to={folderAt(name)}>Folders of {name}</Link>
      </div>
    </>
  )
}

const Standing = ({ store: { standing, kind, root, since, why } }: { readonly store: Store }) => (
  <p class="condition">
    {standing === 'there' && <State is="well" words={whereItIs({ kind, root })} />}
    {standing === 'away' && (
      <>
        <State is="away" />
        {since !== null && (
          <>
            {' '}
            since <Time at={since} form="when" />
          </>
        )}
        {why !== null && (
          <>
            : <Name text={why} />
          </>
        )}
        . Nothing of it is checked, and nothing is said of its content.
      </>
    )}
    {standing === 'gone' && (
      <>
        <State is="needs somebody" words="gone" />
        {since !== null && (
          <>
            {' '}
            since <Time at={since} form="when" />
          </>
        )}
        : its absence is a finding of each of its items.
      </>
    )}
  </p>
)

const Budget = ({ budget }: Pick<Store, 'budget'>) =>
  budget && (
    <p>
      Its checks may read {bytes(budget.bytesPerDay)} a day (UTC): {bytes(budget.bytesRead)} today.
      {budget.goesOnAt !== null && (
        <>
          {' '}
          {plural(budget.waiting, 'check')} of it {budget.waiting === 1 ? 'waits' : 'wait'} for the next day,
          and {budget.waiting === 1 ? 'goes' : 'go'} on <Time at={budget.goesOnAt} form="when" />: what is
          late may be so for this.
        </>
      )}
    </p>
  )

const Cycle = ({ store: { fullCycleSince, intervalDays, counts } }: { readonly store: Store }) => {
  const wanted = `each is to be checked once in ${plural(intervalDays, 'day')}`
  if (counts.expected === 0) return <>Nothing is recorded of it; {wanted}.</>
  if (counts.unread === counts.expected) return <>All of it is archived, and none of it was read; {wanted}.</>
  return fullCycleSince === null ? (
    <>Not all of it was ever checked to the end; {wanted}.</>
  ) : (
    <>
      The last full cycle began on <time dateTime={fullCycleSince}>{fullCycleSince}</time>: everything
      {counts.unread > 0 && ' but what was not read'} was checked since; {wanted}.
    </>
  )
}
