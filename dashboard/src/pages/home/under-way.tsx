import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { Overview } from './overview.ts'

/** What goes on now, how far it is, and until when it is expected to take. */
export const UnderWay = ({ overview: { lanes } }: { readonly overview: Overview }) => {
  const works = lanes.flatMap(({ underWay }) => underWay ?? [])
  const isWhole = lanes.every(({ underWay }) => underWay !== null)
  return (
    <section aria-labelledby="under-way">
      <h2 id="under-way">
        Under way <span class="count">{count(works.length)}</span>
      </h2>
      {works.length === 0 && (
        <p>{isWhole ? 'Nothing is under way.' : 'Some of it is not known yet: views are being folded.'}</p>
      )}
      <ul class="works flush">
        {works.map(({ title, page, done, total, until }) => (
          <li key={page + title}>
            <span class="lead">
              <Name text={title} to={page} />
            </span>
            <span class="why">
              {until === undefined ? (
                ''
              ) : (
                <>
                  until about <Time at={until} form="when" />
                </>
              )}
            </span>
            <progress max={Math.max(total, 1)} value={Math.min(done, total)} aria-label={title} />
            <span class="why num">
              {count(done)} of {count(total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
