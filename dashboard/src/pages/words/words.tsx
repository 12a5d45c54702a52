import text from '../../../../docs/words.md?raw'
import { Table } from '../../parts/table.tsx'
import { sectionsIn } from './sections.ts'

const sections = sectionsIn(text)

/** What the words on the page, in reports and on the command line mean. */
const Words = () => (
  <>
    <h1>Words</h1>
    <p>Each has one meaning: on this page, in reports and on the command line.</p>
    {sections.map(({ title, words }) => (
      <Table
        key={title}
        caption={title}
        none="No words."
        rows={words}
        keyOf={([word]) => word}
        columns={[
          { title: 'Word', cell: ([word]) => <strong>{word}</strong> },
          { title: 'Means', cell: ([, means]) => means },
        ]}
      />
    ))}
  </>
)

export default Words
