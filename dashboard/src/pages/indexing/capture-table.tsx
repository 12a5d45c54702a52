import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { Name } from '../../parts/name.tsx'
import { captureProofsAt } from '../../parts/prove.tsx'
import { Table } from '../../parts/table.tsx'
import { bytes, count } from '../../parts/words.ts'
import { outcomeOf, Shape } from './calendar.tsx'

type Capture = AnswerOf<'/api/v1/indexing/captures'>['captures'][number]

interface CaptureTableProps {
  readonly caption: string
  readonly captures: readonly Capture[]
  /** What addresses of replay begin with; null where none is set. */
  readonly replay: string | null
}

/** Each capture with what came of it, and where its record lies. */
export const CaptureTable = ({ caption, captures, replay }: CaptureTableProps) => (
  <Table
    caption={caption}
    none="None of them has a capture."
    rows={captures}
    keyOf={({ key, timestamp, file, offset }) => `${key} ${timestamp} ${file} ${offset}`}
    columns={[
      { title: 'Captured (UTC)', cell: ({ timestamp }) => timeOf(timestamp) },
      { title: 'What', cell: (capture) => <Shape of={outcomeOf(capture)} /> },
      { title: 'URL', cell: ({ url, key }) => <Name text={url ?? key} /> },
      { title: 'Status', cell: ({ status }) => status ?? <span class="why">none</span> },
      { title: 'Type', cell: ({ mime }) => <Name text={mime ?? 'none'} /> },
      {
        title: 'Size',
        isNumber: true,
        cell: ({ length }) => (length === null ? <span class="why">not known</span> : bytes(length)),
      },
      {
        title: 'Record',
        cell: ({ file, offset }) =>
          file === null ? (
            <span class="why">not known</span>
          ) : (
            <>
              <Name text={file} />
              {offset !== null && `, byte ${count(offset)}`}{' '}
              <Link to={captureProofsAt(file)} class="button small" label={`Prove the captures in ${file}`}>
                Prove
              </Link>
            </>
          ),
      },
      {
        title: 'Replay',
        cell: ({ timestamp, url }) =>
          replay === null ? (
            <span class="why">none is set</span>
          ) : (
            <a href={`${replay}${timestamp}/${url ?? ''}`} rel="noreferrer">
              Replay {timeOf(timestamp)}
            </a>
          ),
      },
    ]}
  />
)

const timeOf = (digits: string): string =>
  digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6')
