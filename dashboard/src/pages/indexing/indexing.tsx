import { Link } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAsked } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Numbers } from '../../parts/numbers.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import { filesAt } from './addresses.ts'
import { Ages } from './ages.tsx'
import { Failed } from './failed.tsx'
import { FileState, fileStates } from './file-state.tsx'
import { IndexingMenu } from './menu.tsx'

type Lines = AnswerOf<'/api/v1/indexing/report'>['report']

/** Can every harvested page be found? Files by state and by age, and those that failed. */
const Indexing = () => (
  <>
    <h1>Indexing</h1>
    <IndexingMenu />
    <Answer of={useAsked(ask, 'indexing')}>
      {({ report, ages }, at) => (
        <>
          <FileNumbers report={report} />
          <Verdict report={report} ages={ages} />
          <Table
            caption="Archive files by state"
            none="No archive file is known yet: add a source of them, or give a folder to `fonds indexing add`."
            rows={byState(report)}
            keyOf={({ state }) => state}
            columns={[
              {
                title: 'State',
                cell: ({ state }) => (
                  <Link to={filesAt({ state })}>
                    <FileState state={state} />
                  </Link>
                ),
              },
              { title: 'Files', isNumber: true, cell: ({ files }) => count(files) },
              { title: 'Lines in the index', isNumber: true, cell: ({ lines }) => count(lines) },
              { title: 'Size', isNumber: true, cell: (row) => bytes(row.bytes) },
              {
                title: 'What it means',
                cell: ({ state }) => <span class="sentence">{fileStates[state]}</span>,
              },
            ]}
          />
          <Ages ages={ages} />
          <AsOf at={at} />
        </>
      )}
    </Answer>
    <Failed />
  </>
)

const ask = async (signal: AbortSignal) => {
  const [{ data: report, at }, { data: ages }] = await Promise.all([
    get('/api/v1/indexing/report', { query: { limit: 1000 } }, signal),
    get('/api/v1/indexing/ages', { query: { limit: 1000 } }, signal),
  ])
  return { data: { report: report.report, ages: ages.ages }, at }
}

const byState = (report: Lines) =>
  Object.keys(fileStates).flatMap((state) => {
    const own = report.filter((row) => row.state === state)
    const sum = (of: 'files' | 'lines' | 'bytes') => own.reduce((total, row) => total + row[of], 0)
    return own.length === 0 ? [] : [{ state, files: sum('files'), lines: sum('lines'), bytes: sum('bytes') }]
  })

/** Of all repositories: what can be found, and what cannot. */
const FileNumbers = ({ report }: { readonly report: Lines }) => {
  const sum = (of: 'files' | 'lines' | 'bytes' | 'salvaged' | 'lostBytes', ...states: readonly string[]) =>
    report
      .filter(({ state }) => states.length === 0 || states.includes(state))
      .reduce((total, row) => total + row[of], 0)
  if (report.length === 0) return null
  const stopped = sum('files', 'failed', 'parked')
  return (
    <Numbers
      of={[
        {
          label: 'In the index',
          value: count(sum('lines')),
          unit: 'lines',
          says: `${bytes(sum('bytes'))} of archive files`,
        },
        {
          label: 'Files indexed',
          value: count(sum('files', 'indexed')),
          says: `of ${plural(sum('files'), 'file')} known`,
        },
        {
          label: 'Waiting',
          value: count(sum('files', 'new', 'changed', 'indexing')),
          says: `${count(sum('files', 'indexing'))} read now`,
        },
        {
          label: 'Not readable',
          value: count(stopped),
          says: `${count(sum('files', 'parked'))} wait for a person`,
          tone: stopped > 0 ? 'bad' : undefined,
        },
        {
          label: 'Salvaged',
          value: count(sum('salvaged')),
          says: sum('lostBytes') === 0 ? 'nothing was lost' : `${bytes(sum('lostBytes'))} lost`,
          tone: sum('lostBytes') > 0 ? 'warn' : undefined,
        },
      ]}
    />
  )
}

/** W1: three days are the limit. */
const lateHours = 72

interface VerdictProps {
  readonly report: Lines
  readonly ages: AnswerOf<'/api/v1/indexing/ages'>['ages']
}

/** In words first: whether all is found, and if not, whether somebody is needed. */
const Verdict = ({ report, ages }: VerdictProps) => {
  const filesIn = (...states: readonly string[]) =>
    report.filter(({ state }) => states.includes(state)).reduce((sum, { files }) => sum + files, 0)
  const sum = (lines: typeof ages) => lines.reduce((total, { files }) => total + files, 0)
  const late = sum(ages.filter(({ fromHours }) => fromHours >= lateHours))
  const outside = sum(ages)
  const [parked, failed, unnamed] = [filesIn('parked'), filesIn('failed'), filesIn('unknown')]
  const needs = [
    ...(late > 0 ? [`${plural(late, 'file')} not in the index for three days or longer`] : []),
    ...(parked > 0 ? [`${plural(parked, 'file waits', 'files wait')} for a person`] : []),
    ...(failed > 0 ? [`${plural(failed, 'file')} failed`] : []),
    ...(unnamed > 0 ? [`${plural(unnamed, 'name says', 'names say')} not what the file is`] : []),
  ]
  if (report.length === 0) return null
  if (needs.length > 0)
    return (
      <p>
        <State is="needs somebody" />: {needs.join('; ')}.
      </p>
    )
  return (
    <p>
      <State is="well" />:{' '}
      {outside > 0
        ? `${plural(outside, 'file is', 'files are')} not in the index yet, none for three days.`
        : 'every file that is to be in the index was indexed.'}
    </p>
  )
}

export default Indexing
