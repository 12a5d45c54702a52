import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import type { Step } from './step.ts'

/** Each check with both values, and where what was kept comes from. */
export const Steps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <Table
    caption="What was checked: computed here, against what was kept"
    none="Nothing was checked."
    rows={steps}
    keyOf={({ name }) => name}
    columns={[
      { title: 'Check', cell: ({ name }) => <b>{name}</b> },
      {
        title: 'Result',
        cell: ({ isPassed }) =>
          isPassed ? <State is="well" words="passed" /> : <State is="wrong" words="failed" />,
      },
      { title: 'Computed', cell: ({ computed }) => <Name text={computed} /> },
      { title: 'Kept', cell: ({ kept }) => <Name text={kept} /> },
      { title: 'From', cell: ({ from }) => <Name text={from} /> },
    ]}
  />
)
