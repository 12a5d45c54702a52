import './as-fonds.ts'
import { search } from '../src/app/search/search.ts'
import type { Row } from '../src/domain/kernel/view.ts'
import type { Projection } from '../src/projections/runtime/projection.ts'
import { projectionsOf } from '../src/workflows/workflow-model.ts'
import { benchSystem } from './system.ts'
import { median, printTable } from './table.ts'

/*
 * The search over everything, with so many things of each of ten kinds: how long an answer takes, beside a scan of one of these kinds by
 * SQLite's LIKE. `node bench/search.ts [things]`
 */

const total = Number(process.argv[2] ?? 1_000_000)
const rounds = 9
const id = (prefix: string, n: number) => `${prefix}${String(n).padStart(7, '0')}`
const scattered = (n: number) => ((n * 2_654_435_761) % 4_294_967_296).toString(36)
/** Words as titles have them: some in every title, some in a thousandth. */
const title = (n: number) =>
  `Letter ${n} of the ${scattered(n % 1000)} family to ${scattered(n % 40_000)}, plate ${n % 50}`
const folder = (n: number) =>
  `deposit-${String(Math.floor(n / 5000)).padStart(4, '0')}/box-${Math.floor(n / 200) % 25}`

const kinds: Readonly<Record<string, (n: number) => Row>> = {
  'fixity-items': (n) => ({
    ...{ store: n % 2 ? 'main' : 'vault', folder: folder(n), path: `${folder(n)}/${id('scan-', n)}.tif` },
    ...{ state: 'verified', outcome: 'success', size: 4096, checksums: [], queue: 'routine', revision: 3 },
  }),
  'indexing-files': (n) => ({
    repository: 'main',
    name: `${id('WARC-', n)}.warc.gz`,
    state: 'indexed',
    folded: {},
  }),
  'ingest-batches': (n) => ({
    batch: id('batch-', n),
    number: n + 1,
    state: 'closed',
    title: title(n),
    collection: 'c',
  }),
  'ingest-jobs': (n) => ({ job: n + 1, batch: id('batch-', n), state: 'completed', title: title(n) }),
  'ingest-objects': (n) => ({ object: `ark:/99999/${id('fk', n)}`, title: title(n), version: 1, files: 1 }),
  'ingest-files': (n) => ({
    ...{ object: `ark:/99999/${id('fk', n)}`, version: 1, path: `data/${id('page-', n)}.tif` },
    sha256: scattered(n).padEnd(64, '0'),
  }),
  'ingest-local-ids': (n) => ({ owner: 'library', localId: id('MS-', n), ark: `ark:/99999/${id('fk', n)}` }),
  'matching-works': (n) => ({
    work: `w${scattered(n)}`,
    source: 'library',
    state: 'visible',
    title: title(n),
  }),
  'research-episodes': (n) => ({
    episode: id('ep-', n),
    title: title(n),
    mediaUri: `https://a.example/${n}.wav`,
  }),
  'research-clips': (n) => ({
    clip: id('clip-', n),
    title: title(n),
    mediaUri: `https://a.example/c${n}.wav`,
  }),
}

const { system, dispose } = await benchSystem()
const { viewStore, workflows } = system

const fill = ({ name, version, views }: Projection): void => {
  const generation = viewStore.create(name, version, views)
  viewStore.promote(generation)
  const filled = views.filter((view) => kinds[view.name])
  const step = 10_000
  for (let from = 0; from < (filled.length > 0 ? total : 1); from += step)
    viewStore.fold(
      generation,
      BigInt(from - 1),
      { position: BigInt(from + step - 1), time: null },
      (tables) => {
        for (const view of filled)
          for (let n = from; n < Math.min(total, from + step); n++)
            tables[view.name]?.put(kinds[view.name]!(n))
      },
    )
}
const filling = performance.now()
for (const projection of projectionsOf(workflows)) fill(projection)
console.log(
  `${total.toLocaleString('en')} things of ${Object.keys(kinds).length} kinds in ${((performance.now() - filling) / 1000).toFixed(0)} s`,
)

const last = total - 1
const texts: Readonly<Record<string, string>> = {
  'a letter': 'l',
  'two letters': 'sc',
  'a word of every title': 'letter',
  'words of few titles': `${scattered(17)} plate`,
  'words of every title': 'letter family plate',
  'a path': `main/${folder(last)}/${id('scan-', last)}.tif`,
  'the beginning of a path': `main/${folder(last)}`,
  'a path without its store': folder(last).slice(0, 9),
  'the name of a file': `${id('scan-', last)}.tif`,
  'an ARK': `ark:/99999/${id('fk', last)}`,
  'a local id': id('MS-', last),
  'a number': String(last),
  'the beginning of an id': `w${scattered(last).slice(0, 3)}`,
  nothing: 'zzzz zzzz',
}
/** Milliseconds of the processor: others work on the machine, too. */
const millisSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
const ask = async (text: string): Promise<number> => {
  const start = process.cpuUsage()
  const { leftOut } = await search(system, { text, limit: 20, signal: new AbortController().signal })
  if (leftOut.length > 0) throw new Error(`${text}: ${leftOut[0]?.kind} is left out, ${leftOut[0]?.because}`)
  return millisSince(start)
}
/** The same question as it was answered before: all titles of one kind are read. */
const scan = (): number => {
  const start = process.cpuUsage()
  let found = 0
  for (let after = ''; ; ) {
    const page = viewStore.query('matching-works', {
      columns: ['work', 'title'],
      where: [{ column: 'work', is: '>', value: after }],
      orderBy: [{ column: 'work' }],
      limit: 2000,
    })
    for (const { title } of page) if (String(title).toLowerCase().includes('zzzz')) found++
    if (page.length < 2000) break
    after = String(page.at(-1)?.work)
  }
  if (found > 0) throw new Error('there are no such titles')
  return millisSince(start)
}
const scanned = scan()
const figures: { readonly what: string; readonly millis: number }[] = []
for (const [what, text] of Object.entries(texts)) {
  const first = await ask(text)
  const millis = []
  for (let round = 0; round < rounds; round++) millis.push(await ask(text))
  figures.push({ what, millis: median(millis) })
  console.log(
    `${what.padEnd(26)} ${first.toFixed(1).padStart(7)} ms at first, then ${median(millis).toFixed(1).padStart(6)} ms, at most ${Math.max(...millis).toFixed(1)}`,
  )
}
printTable(
  'search over everything',
  figures.map(({ what, millis }) => ({
    ...{
      what,
      ours: 1000 / millis,
      beside: 'titles of one kind read',
      theirs: 1000 / scanned,
      unit: 'answers/s',
    },
  })),
)
await dispose()
