import { join } from 'node:path'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { Fact } from '../src/domain/matching/graph/component.ts'
import { category, workStream } from '../src/domain/matching/work.ts'
import { catalogue, small } from './catalogue.ts'

/*
 * Fills the log of a home with what the intake writes of a catalogue, by plain statements: how fast a log is filled is
 * another benchmark's question. `node bench/matching-log.ts <home> <works> [updates]`: with updates, so many works in
 * components of ten or less are said anew instead.
 */

const [home, works, updates] = process.argv.slice(2) as [string, string, string?]
const made = catalogue(Number(works))
const db = openDatabase(join(home, 'fonds.db'))
const { writer } = db
const addStream = writer.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, 0)')
const nextRevision = writer.prepare(
  'UPDATE streams SET revision = revision + 1 WHERE name = ? RETURNING id, revision',
)
const addEvent = writer.prepare(
  'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
)
const metadata = JSON.stringify({ actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 })

const dataOf = ({ id, deleted, links }: Fact, sourceVersion: number): string =>
  JSON.stringify({
    source: 'library',
    sourceVersion,
    sourceModifiedAt: '2026-01-01T00:00:00.000Z',
    state: deleted ? 'deleted' : 'visible',
    title: `Work ${id}`,
    links: [...links].sort().map((to) => ({ to, reasons: ['same as'] })),
    fields: { shelf: id },
    at: '2026-01-01T00:00:00.000Z',
  })

const insert = (stream: number | bigint, revision: number, fact: Fact) =>
  addEvent.run(
    stream,
    revision,
    `${fact.id}/${revision}`,
    'WorkObserved',
    Date.now(),
    dataOf(fact, revision + 1),
    metadata,
  )

writer.exec('BEGIN')
if (updates === undefined)
  for (const fact of made.facts())
    insert(addStream.run(workStream(fact.id), category).lastInsertRowid, 0, fact)
else {
  const members = made.membersOf(small)
  for (let n = 0; n < Number(updates); n++) {
    // Its links stay as they are, but for every tenth, which states others.
    const work = members[n % members.length]! + (n % small)
    const fact = made.fact(work, n % 10 === 0 ? n : 0)
    const row = nextRevision.get(workStream(fact.id)) as { id: number; revision: number }
    insert(row.id, row.revision, fact)
  }
}
writer.exec('COMMIT')
await db.close()
