import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attack, edit, editLine } from './export-attacks.ts'

/* Ways to change an export that rests on a statement (`exportOfStated`): leaf 1,200 states 1,200 leaves; 1,024 … 1,300 are shown. */

interface Row {
  index: number
  entry: string
  proof: string[]
}
interface Stated extends Row {
  data: string
  rows: Row[]
}

const rest = (change: (value: { from: number; before: string[]; stated: Stated }) => void) =>
  edit('export.json', (text) => {
    const scope = JSON.parse(text)
    change(scope.rest)
    return `${JSON.stringify(scope)}\n`
  })

const stated = (change: (value: Stated) => void) => rest((value) => change(value.stated))

/** A line of the export, which has 101 events of `item-a` and two of `item-b`. */
const lineOf = (folder: string, index: number): string =>
  readFileSync(join(folder, 'events.ndjson'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`{"index":${index},`))!

const without =
  (...indices: readonly number[]) =>
  (folder: string): void =>
    edit('events.ndjson', (text) =>
      text
        .split('\n')
        .filter((line) => !indices.some((index) => line.startsWith(`{"index":${index},`)))
        .join('\n'),
    )(folder)

const rowOf = (value: Stated, stream: string): Row =>
  value.rows.find(({ entry }) => entry.includes(`\n"${stream}"\n`))!

export const statedAttacks: readonly Attack[] = [
  {
    name: 'its last event before the statement left out',
    change: without(800),
    found: /of item-a nothing is shown between .*leaf 793 is not the one that was stated/,
  },
  {
    name: 'its last events before the statement left out, and another leaf in the row',
    change: (folder) => {
      without(793, 800)(folder)
      stated((value) => {
        const row = rowOf(value, 'item-a')
        row.entry = row.entry.replace('\n800\n', '\n786\n')
      })(folder)
    },
    found: /the row of item-a is not row \d+ of the 52 that leaf 1200 states/,
  },
  {
    name: 'an event in the middle left out',
    change: without(450),
    found: /leaf 457.*follows leaf 450, not leaf 443: events were left out/,
  },
  {
    name: 'an event behind the statement left out',
    change: without(1250),
    found: /leaf 1250.* left out of events/,
  },
  {
    name: 'the row left out',
    change: stated((value) => {
      value.rows = value.rows.filter((row) => row !== rowOf(value, 'item-a'))
    }),
    found: /of item-a nothing is shown between its last event and leaf 1024/,
  },
  {
    name: "another stream's row in the place of it",
    change: stated((value) => {
      const row = rowOf(value, 'item-a')
      Object.assign(row, rowOf(value, 'item-b'))
    }),
    found: /of item-a nothing is shown between its last event and leaf 1024/,
  },
  {
    name: "the name of the stream on another stream's row",
    change: stated((value) => {
      Object.assign(rowOf(value, 'item-b'), { entry: rowOf(value, 'item-a').entry })
    }),
    found: /the row of item-a is not row \d+ of the 52 that leaf 1200 states/,
  },
  {
    name: 'a statement of another root',
    change: stated((value) => {
      value.data = value.data.replace(/"root":"./, '"root":"_')
    }),
    found: /the statement on streams in leaf 1200 was changed/,
  },
  {
    name: 'another event in the place of the statement',
    change: (folder) => {
      const { index, entry, data, proof } = JSON.parse(lineOf(folder, 1250))
      stated((value) => Object.assign(value, { index, entry, data, proof }))(folder)
    },
    found: /the statement on streams is not leaf 1250 of the tree/,
  },
  {
    name: 'the statement at another place',
    change: stated((value) => {
      value.index = 1201
    }),
    found: /the statement on streams is not leaf 1201 of the tree/,
  },
  {
    name: 'no statement',
    change: rest((value) => {
      delete (value as { stated?: Stated }).stated
    }),
    found: /of item-a nothing is shown between its last event and leaf 1024/,
  },
  {
    name: 'a byte of data',
    change: editLine(7, (text) => [text.replace('letter', 'litter')]),
    found: /its data were changed/,
  },
]

export const unreadableStated: readonly Attack[] = [
  {
    name: 'a row that is none',
    change: stated((value) => {
      rowOf(value, 'item-a').entry = 'fonds.stream/v1\n"item-a"\n800'
    }),
    found: /export\.json has a row of a stream that is none/,
  },
]
