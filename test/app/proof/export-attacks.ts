import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/* Ways to change an export of 600 events, each in its copy, and what every verifier says of it. */

type Change = (folder: string) => void

export const edit =
  (name: string, change: (text: string) => string): Change =>
  (folder) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')))

export const editLine = (index: number, change: (line: string) => readonly string[]): Change =>
  edit('events.ndjson', (text) => {
    const lines = text.trimEnd().split('\n')
    return `${lines.toSpliced(index, 1, ...change(lines[index]!)).join('\n')}\n`
  })

export const editBytes =
  (name: string, change: (bytes: Buffer) => Buffer): Change =>
  (folder) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name))))

export interface Attack {
  readonly name: string
  readonly change: Change
  readonly found: RegExp
}

export const attacks: readonly Attack[] = [
  {
    name: 'a byte of data',
    change: editLine(7, (line) => [line.replace('é', 'e')]),
    found: /leaf 7, .*item-2: its data were changed/,
  },
  {
    name: 'a byte of metadata',
    change: editLine(300, (line) => [line.replace('"metadata":"{', '"metadata":"{ ')]),
    found: /leaf 300, .*: its metadata were changed/,
  },
  {
    name: 'a type',
    change: editLine(5, (line) => [line.replace('Stored', 'Lost')]),
    found: /leaf 5: this entry is not in the tree/,
  },
  {
    name: 'an event left out at the start',
    change: editLine(0, () => []),
    found: /leaf 0: this event was left out/,
  },
  {
    name: 'an event left out in the middle',
    change: editLine(299, () => []),
    found: /leaf 299: this event was/,
  },
  {
    name: 'an event left out at the end',
    change: editLine(599, () => []),
    found: /leaf 599: this event was/,
  },
  {
    name: 'an entry changed with its leaf',
    change: editBytes('tile/entries/000', (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('Stored', 'Lostly'), 'latin1'),
    ),
    found: /the root of all entries is .*, the signed one is/,
  },
  {
    name: 'a smaller size under the same signature',
    change: edit('checkpoint', (text) => text.replace('\n600\n', '\n599\n')),
    found: /the log .* is not by its key/,
  },
]

/** Not of their form: nothing may be said to hold, or not to. */
export const unreadable: readonly Attack[] = [
  {
    name: 'two events swapped',
    change: edit('events.ndjson', (text) => {
      const [first, second, ...rest] = text.split('\n')
      return [second, first, ...rest].join('\n')
    }),
    found: /order of the leaves/,
  },
  { name: 'an event twice', change: editLine(20, (line) => [line, line]), found: /order of the leaves/ },
  {
    name: 'a bundle cut short',
    change: editBytes('tile/entries/001', (bytes) => bytes.subarray(0, -1)),
    found: /001 does not have 256 entries/,
  },
  { name: 'no checkpoint', change: (folder) => rmSync(join(folder, 'checkpoint')), found: /checkpoint/ },
  {
    name: 'a checkpoint of CRLF',
    change: edit('checkpoint', (text) => text.replaceAll('\n', '\r\n')),
    found: /control characters/,
  },
  {
    name: 'a policy of CRLF',
    change: edit('policy', (text) => text.replaceAll('\n', '\r\n')),
    found: /control characters/,
  },
  {
    name: 'an export that begins at no number',
    change: edit('export.json', (text) => text.replace('"from":0', '"from":false')),
    found: /export\.json/,
  },
  {
    name: 'an index that is no number',
    change: editLine(1, (line) => [line.replace('"index":1', '"index":true')]),
    found: /events\.ndjson/,
  },
  {
    name: 'half of a surrogate pair in data',
    change: editLine(7, (line) => [line.replace('é', '\\ud800')]),
    found: /surrogates|line 8 of events\.ndjson/,
  },
  {
    name: 'what JSON does not have',
    change: editLine(7, (line) => [line.replace('"index"', '"more":NaN,"index"')]),
    found: /NaN|line 8 of events\.ndjson/,
  },
  {
    name: 'an export of another form',
    change: edit('export.json', (text) => text.replace('v1', 'v2')),
    found: /fonds\.export\/v1/,
  },
  {
    name: 'an index below that of the line before',
    change: editLine(5, (line) => [line.replace('"index":5', '"index":3')]),
    found: /order of the leaves/,
  },
  {
    name: 'an export of nothing that is known',
    change: edit('export.json', (text) => text.replace('"log"', '"lof"')),
    found: /export\.json/,
  },
  {
    name: 'bytes behind the last bundle',
    change: editBytes('tile/entries/002.p/88', (bytes) => Buffer.concat([bytes, Buffer.from([0])])),
    found: /002\.p\/88 does not have 88 entries/,
  },
  {
    name: 'a line that is no object of ours',
    change: editLine(9, () => ['{"index":9,"entry":5}']),
    found: /./,
  },
  {
    name: 'a line of the policy with a word alone',
    change: edit('policy', (text) => `log\n${text}`),
    found: /policy|line 1/,
  },
  {
    name: 'one key under two names of witnesses',
    change: edit('policy', (text) => {
      const key = /^log (\S+)/m.exec(text)![1]
      return `witness a ${key}\nwitness b ${key}\n${text}`
    }),
    found: /twice|line 2/,
  },
  {
    name: 'a policy without a quorum',
    change: edit('policy', (text) => text.replace('quorum none', '')),
    found: /quorum/,
  },
]
