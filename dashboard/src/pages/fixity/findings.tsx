import { type Answer, get } from '../../api/client.ts'
import { Paged } from '../../parts/paged.tsx'
import { Path } from '../../parts/path.tsx'
import { Since, Time } from '../../parts/time.tsx'
import type { Page } from '../../parts/window-list.tsx'
import { count } from '../../parts/words.ts'
import { itemAt } from './addresses.ts'
import { Settle } from './settle.tsx'

type Finding = Answer<'/api/v1/fixity/findings'>['findings'][number]

/** Who can settle it. */
const settlers: Readonly<Record<string, string>> = {
  internal: 'can be mended here, from a second copy or by a record',
  external: 'for whoever keeps the storage',
  manual: 'for a person to decide',
}

const ageWords: Readonly<Record<string, string>> = {
  day: 'since less than a day',
  week: 'since less than a week',
  month: 'since less than a month',
  older: 'longer than a month',
}

/** What somebody must settle, the oldest first, each with the buttons that settle it. */
export const Findings = () => (
  <section aria-labelledby="findings">
    <h2 id="findings">Findings to settle</h2>
    <Paged name="findings" caption="Findings to settle" ask={findings}>
      {({ ages, rows, total, now }) => (
        <>
          {total > 0 && (
            <p>
              {ages
                .filter(({ count }) => count > 0)
                .map(({ age, count: n }) => `${count(n)} open ${ageWords[age] ?? age}`)
                .join(', ')}
              .
            </p>
          )}
          {total === 0 ? (
            <p class="none">Nothing is to be settled: no finding is open.</p>
          ) : (
            <ol class="findings flush">
              {rows.map((finding) => (
                <li key={finding.resolution}>
                  <FindingLine finding={finding} now={new Date(now)} />
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </Paged>
  </section>
)

const findings = async (page: Page, signal: AbortSignal) => {
  const { data, at } = await get('/api/v1/fixity/findings', { query: page }, signal)
  const total = data.ages.reduce((sum, { count }) => sum + count, 0)
  return { data: { rows: data.findings, ages: data.ages, total, now: data.at }, at }
}

const FindingLine = ({ finding, now }: { readonly finding: Finding; readonly now: Date }) => {
  const { store, path, summary, class: kind, row, openedAt, lastVerified } = finding
  return (
    <>
      <div>
        <Path text={`${store}/${path}`} to={itemAt(store, path)} />
        <p class="cause">
          {summary}{' '}
          <small>
            ({row}; {settlers[kind] ?? kind})
          </small>
        </p>
      </div>
      <p>
        Open for <Since at={openedAt} now={now} />.{' '}
        {lastVerified === null ? (
          'Never found as recorded.'
        ) : (
          <>
            Last good day: <Time at={lastVerified} />.
          </>
        )}
      </p>
      <Settle {...finding} />
    </>
  )
}
