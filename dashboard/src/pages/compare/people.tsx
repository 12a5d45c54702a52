import { Link } from '../../address/use-address.tsx'
import { get, Refused } from '../../api/client.ts'
import { useAsked } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name, shortened, visible } from '../../parts/name.tsx'
import { Numbers } from '../../parts/numbers.tsx'
import { Path } from '../../parts/path.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { count } from '../../parts/words.ts'
import { type Between, type Change, diffQuery } from './diff.ts'
import { type Group, type Side, type Told, tell, told } from './tell.ts'

/** So many rows of each view are looked at. */
const most = 200
/** So many of each group are listed. */
const listed = 50

const titles: Readonly<Record<Group, string>> = {
  worse: 'Got worse',
  settled: 'Settled',
  came: 'Came',
  went: 'Went',
  changed: 'Changed',
  routine: 'Routine',
}
const groups = Object.keys(titles) as Group[]

type Line = Told & { readonly view: string; readonly change: Change }

/** What changed, in the words of those who work with it: the worst first. */
export const People = ({ between }: { readonly between: Between }) => (
  <Answer of={useAsked((signal) => ask(between, signal), `told ${between.since} ${between.until}`)}>
    {({ lines, isWhole }) => {
      const of = (group: Group) => lines.filter((line) => line.group === group)
      return (
        <>
          <Numbers
            of={groups.map((group) => ({
              label: titles[group],
              value: count(of(group).length),
              tone: group === 'worse' && of(group).length > 0 ? 'bad' : undefined,
            }))}
          />
          {!isWhole && (
            <p class="why">
              Of some views more than {count(most)} rows differ: the first are counted. All of them are below,
              view by view.
            </p>
          )}
          {groups
            .filter((group) => group !== 'routine' && of(group).length > 0)
            .map((group) => (
              <Lines key={group} title={titles[group]} lines={of(group)} />
            ))}
          {of('routine').length > 0 && (
            <details>
              <summary>
                Routine: {count(of('routine').length)} stayed as they were, and were looked at anew
              </summary>
              <Lines title={titles.routine} lines={of('routine')} />
            </details>
          )}
        </>
      )
    }}
  </Answer>
)

const ask = async (between: Between, signal: AbortSignal) => {
  const found = await Promise.all(
    told.map(async (view) => {
      try {
        const asking = { path: { view }, query: diffQuery(between, most) }
        const { data, at } = await get('/api/v1/views/{view}/diff', asking, signal)
        return { view, changes: data.changes, isWhole: data.next === null, at }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return { view, changes: [], isWhole: true, refused: error }
      }
    }),
  )
  const [first] = found
  if (first && found.every((one) => 'refused' in one)) throw (first as { refused: Refused }).refused
  const lines = found.flatMap(({ view, changes }) =>
    changes.flatMap((change): Line[] => {
      const one = tell(view, change)
      return one ? [{ ...one, view, change }] : []
    }),
  )
  return { data: { lines, isWhole: found.every(({ isWhole }) => isWhole) }, at: new Date() }
}

interface LinesProps {
  readonly title: string
  readonly lines: readonly Line[]
}

const Lines = ({ title, lines }: LinesProps) => (
  <>
    <Table
      caption={`${title}, ${count(lines.length)}`}
      none="None."
      rows={lines.slice(0, listed)}
      keyOf={({ view, change }) => `${view} ${JSON.stringify(change.key)}`}
      columns={[
        { title: 'What', cell: ({ subject }) => <Path text={subject} /> },
        { title: 'Then and now', cell: (line) => <ThenAndNow {...line} /> },
        { title: 'Because', cell: ({ because }) => because && <Name text={because} /> },
        { title: 'By event', isNumber: true, cell: ({ change }) => <LastEvent change={change} /> },
      ]}
    />
    {lines.length > listed && <p class="why">{count(lines.length - listed)} more are below, view by view.</p>}
  </>
)

const ThenAndNow = ({ before, after }: Pick<Told, 'before' | 'after'>) => (
  <span class="then-and-now">
    {before && <SideOf {...before} />} {before && <span>→</span>}{' '}
    {after ? <SideOf {...after} /> : before && 'went'}
  </span>
)

const SideOf = ({ is, words }: Side) =>
  is === 'idle' ? <bdi>{visible(shortened(words))}</bdi> : <State is={is} words={words} />

const LastEvent = ({ change: { events } }: { readonly change: Change }) => {
  const last = events.at(-1)
  return last ? <Link to={`/log/events/${last.position}`}>{count(last.position)}</Link> : null
}
