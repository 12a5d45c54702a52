import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Attack, edit, editBytes, editLine } from './export-attacks.ts'

/* Ways to change the export of a thing (`exportOfThing`): leaves 100, 107 … 800 of 900, and a batch's event, leaf 850. */

const line = (folder: string, index: number) =>
  readFileSync(join(folder, 'events.ndjson'), 'utf8').split('\n')[index]!

const scope = (change: (value: Record<string, unknown>) => object) =>
  edit('export.json', (text) => `${JSON.stringify(change(JSON.parse(text)))}\n`)

export const thingAttacks: readonly Attack[] = [
  {
    name: 'its first event left out',
    change: editLine(0, () => []),
    found: /leaf 107.*follows leaf 100.*events (before it )?were left out/,
  },
  {
    name: 'an event in the middle left out',
    change: editLine(50, () => []),
    found: /leaf 457.*follows leaf 450, not leaf 443: events were left out/,
  },
  {
    name: 'its last event left out',
    change: editLine(100, () => []),
    found: /leaf 800.* left out of events/,
  },
  {
    name: 'its last two events left out',
    change: (folder) => {
      editLine(100, () => [])(folder)
      editLine(99, () => [])(folder)
    },
    found: /leaf 793.* left out of events/,
  },
  {
    name: 'its last events left out, and a rest that begins behind them',
    change: (folder) => {
      edit('events.ndjson', (text) => `${text.split('\n').slice(0, 50).join('\n')}\n`)(folder)
    },
    found: /of item-a nothing is shown between its last event and leaf 768/,
  },
  {
    name: 'an event changed in the rest, so that it is of another stream',
    change: (folder) => {
      editLine(100, () => [])(folder)
      const bundle = join('tile/entries/003.p', '132')
      editBytes(bundle, (bytes) =>
        Buffer.from(bytes.toString('latin1').replace('"item-a"\n100\n', '"item-b"\n100\n'), 'latin1'),
      )(folder)
    },
    found: /the entries from leaf 768 on are not those that were signed/,
  },
  {
    name: 'another hash before the rest',
    change: scope((value) => ({
      ...value,
      rest: {
        from: 768,
        before: [...(value as never as { rest: { before: string[] } }).rest.before].reverse(),
      },
    })),
    found: /the entries from leaf 768 on are not those that were signed/,
  },
  {
    name: 'an event twice',
    change: editLine(5, (text) => [text, text]),
    found: /leaf 135.* not leaf 135: events were left out/,
  },
  {
    name: 'an event at another place',
    change: editLine(3, (text) => [text.replace('"index":121', '"index":122')]),
    found: /leaf 122: this entry is not in the tree at this place/,
  },
  {
    name: 'a byte of data',
    change: editLine(7, (text) => [text.replace('letter', 'litter')]),
    found: /leaf 149, revision 7 of item-a: its data were changed/,
  },
  {
    name: 'a proof cut short',
    change: editLine(7, (text) => [
      JSON.stringify({ ...JSON.parse(text), proof: JSON.parse(text).proof.slice(0, -1) }),
    ]),
    found: /leaf 149: this entry is not in the tree at this place/,
  },
  {
    name: 'an event of another thing in the place of one',
    change: (folder) => editLine(20, () => [line(folder, 101)])(folder),
    found: /leaf 247.* follows leaf 240, not leaf 233/,
  },
  {
    name: 'another stream named in the place of its own',
    change: edit('export.json', (text) => text.replace('"item-a"', '"item-x"')),
    found: /of item-x there is no event, and export.json names it/,
  },
]

export const unreadableThings: readonly Attack[] = [
  {
    name: 'a rest that is not there',
    change: (folder) => rmSync(join(folder, 'tile'), { recursive: true }),
    found: /003\.p/,
  },
  {
    name: 'a rest that begins within a bundle',
    change: scope((value) => ({ ...value, rest: { from: 769, before: ['', '', ''] } })),
    found: /export\.json|rest begins/,
  },
  {
    name: 'a rest behind the tree',
    change: scope((value) => ({ ...value, rest: { from: 1024, before: [] } })),
    found: /rest begins/,
  },
  {
    name: 'a thing without streams',
    change: scope((value) => ({ ...value, things: [{ thing: 'a', streams: [] }] })),
    found: /export\.json/,
  },
  {
    name: 'streams that are no list',
    change: scope((value) => ({ ...value, things: [{ thing: 'a', streams: { 'item-a': 1 } }] })),
    found: /export\.json/,
  },
  { name: 'no things', change: scope(({ form, of }) => ({ form, of })), found: /./ },
]
