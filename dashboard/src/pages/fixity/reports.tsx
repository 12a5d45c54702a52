import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { State } from '../../parts/state.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'

const shown = 12

/** Reports that were mailed on a schedule, the latest first; nothing where there are none. */
export const Reports = () => (
  <Answer of={useAnswer('/api/v1/fixity/reports', { query: { limit: shown } })}>
    {({ reports, total }, at) =>
      total === 0 ? null : (
        <section aria-labelledby="sent">
          <h2 id="sent">Reports that were sent</h2>
          <ul class="findings flush">
            {reports.map(({ schedule, until, sentAt, subject, isWell, toNames, refusedNames }) => (
              <li key={`${schedule} ${until}`}>
                <div>
                  <State
                    is={isWell ? 'well' : 'needs somebody'}
                    words={isWell ? 'all well' : 'not all well'}
                  />{' '}
                  <Name text={subject} isWhole />
                </div>
                <p>
                  <Time at={sentAt} />:{' '}
                  {toNames.length > 0 ? <Name text={toNames.join(', ')} isWhole /> : 'mailed to nobody'}
                  {refusedNames.length > 0 && (
                    <>
                      ; refused for <Name text={refusedNames.join(', ')} isWhole />
                    </>
                  )}
                  .
                </p>
              </li>
            ))}
          </ul>
          {total > reports.length && (
            <p>
              {count(total - reports.length)} more: <code>fonds fixity reports</code> lists all.
            </p>
          )}
          <SameLine line="fonds fixity reports" />
          <AsOf at={at} />
        </section>
      )
    }
  </Answer>
)
