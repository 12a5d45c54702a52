import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get, type Problem, Refused } from '../../api/client.ts'
import { useAsked } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { ChangeTable } from './change-table.tsx'
import { type Between, type Diff, diffQuery } from './diff.ts'

/** Of each view; the others are on a page of their own. */
const maxRows = 5

type View = AnswerOf<'/api/v1/views'>['views'][number]

interface Compared {
  readonly view: View
  readonly diff?: Diff
  readonly problem?: Problem
}

/** What came, went and changed in each view that keeps its past: the first rows of each. */
export const AllViews = ({ between }: { readonly between: Between }) => {
  const address = useAddress()
  const shown = useAsked((signal) => compareAll(between, signal), `compare ${between.since} ${between.until}`)
  return (
    <Answer of={shown}>
      {({ compared, others }) => {
        const [same] = new Set(compared.map(({ problem }) => problem?.detail ?? ''))
        const first = compared[0]?.problem
        if (first && compared.every(({ problem }) => problem?.detail === same))
          return <Trouble problem={first} />
        const differing = compared.filter(({ diff, problem }) => problem || !isSame(diff))
        return (
          <>
            {differing.length === 0 && <p>Nothing is different in any view that keeps its past.</p>}
            {differing.map(({ view, diff, problem }) => (
              <section key={view.name} aria-labelledby={`view-${view.name}`}>
                <h2 id={`view-${view.name}`}>
                  <Link to={changed(address, { view: view.name })}>{view.name}</Link>
                </h2>
                <p>{view.description}</p>
                {problem && <Trouble problem={problem} />}
                {diff && <ChangeTable diff={diff} />}
                {diff && diff.next !== null && (
                  <p>
                    <Link to={changed(address, { view: view.name })}>All that differs in {view.name}</Link>
                  </p>
                )}
              </section>
            ))}
            <h2>The others</h2>
            <p>
              The same at both moments:{' '}
              {listed(compared.filter(({ diff }) => isSame(diff)).map(({ view }) => view))}.
            </p>
            <p>Not compared, as they do not keep their past: {listed(others)}.</p>
          </>
        )
      }}
    </Answer>
  )
}

const isSame = (diff: Diff | undefined): boolean =>
  diff !== undefined && diff.changes.length === 0 && diff.next === null

const listed = (views: readonly View[]): string => views.map(({ name }) => name).join(', ') || 'none'

const compareAll = async (between: Between, signal: AbortSignal) => {
  const { data, at } = await get('/api/v1/views', {}, signal)
  const kept = data.views.filter(({ keepsPast }) => keepsPast)
  const compared = await Promise.all(
    kept.map(async (view): Promise<Compared> => {
      try {
        const asking = { path: { view: view.name }, query: diffQuery(between, maxRows) }
        return { view, diff: (await get('/api/v1/views/{view}/diff', asking, signal)).data }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return { view, problem: error.problem }
      }
    }),
  )
  return { data: { compared, others: data.views.filter(({ keepsPast }) => !keepsPast) }, at }
}
