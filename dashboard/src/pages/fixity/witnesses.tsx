import type { Answer as AnswerOf } from '../../api/client.ts'
import { Name, visible } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { bytes } from '../../parts/words.ts'

type Witness = NonNullable<AnswerOf<'/api/v1/fixity/item'>['decision']>['witnesses'][number]

const marks: Readonly<Record<string, string>> = {
  '-': 'absent',
  n: 'never downloaded',
  '?': 'not comparable',
  x: 'recorded as removed',
}

/** All witnesses of a decision, each with its value, whose word it is, and when it was heard. */
export const Witnesses = ({ witnesses }: { readonly witnesses: readonly Witness[] }) => (
  <Table
    caption="What each witness said: the same letter is the same value"
    none="Nobody said anything."
    rows={witnesses}
    keyOf={({ witness, source }) => `${witness} ${source}`}
    columns={[
      {
        title: 'Witness',
        cell: ({ witness, mark }) => (mark === null ? `${witness}, as the observer found it` : witness),
      },
      {
        title: 'Value',
        cell: ({ mark }) => (mark === null ? '' : (marks[mark] ?? <strong>{mark}</strong>)),
      },
      {
        title: 'Its word',
        cell: ({ says, checksums, size }) => (
          <>
            <bdi>{visible(says)}</bdi>
            {size !== null && `, ${bytes(size)}`}
            {checksums.map(({ algorithm, value, basis }) => (
              <div key={`${algorithm}${value}`}>
                {algorithm}: <code class="name">{visible(value)}</code>
                {basis !== undefined && <small> ({basis})</small>}
              </div>
            ))}
          </>
        ),
      },
      { title: 'Source', cell: ({ source }) => <Name text={source} /> },
      { title: 'Heard', cell: ({ heardAt }) => <Time at={heardAt} /> },
    ]}
  />
)
