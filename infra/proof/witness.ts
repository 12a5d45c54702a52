import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import {
  type AddCheckpoint,
  type Checkpoint,
  InvalidNote,
  type Note,
  noteText,
  parseAddCheckpoint,
  parseCheckpoint,
  parseNote,
  type Signer,
  signatureLine,
} from '@fonds/tlog'
import { cosigned, type Judgement, judgeCheckpoint, type KeysOf } from '@fonds/tlog/compute'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { Evidence, Witness, WitnessReply } from '../../src/ports/witness.ts'
import { openDatabase } from '../sqlite/database.ts'
import { query } from '../sqlite/query.ts'
import { ensureSchema } from '../sqlite/schema.ts'
import { WriterAway } from '../sqlite/write-failures.ts'

interface WitnessOptions {
  /** Which logs it cosigns, and by which keys it knows them. */
  readonly keysOf: KeysOf
  /** Its own keys, which sign with the time. */
  readonly signers: readonly Signer[]
  /** ISO 8601. */
  readonly now: () => string
}

const ddl = `
  CREATE TABLE heads (origin_hash TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE evidence (
    id INTEGER PRIMARY KEY, origin TEXT NOT NULL, at TEXT NOT NULL, reason TEXT NOT NULL, is_fork INTEGER NOT NULL,
    cosigned TEXT, refused TEXT NOT NULL, UNIQUE (refused)
  ) STRICT;
`
/** The most evidence that proves no fork: a log that sends wrong proofs again and again fills no disk. */
const mostUnproven = 1000

/**
 * The state of a witness in a SQLite file. Reading the last head, judging, signing and writing are one transaction, on disk
 * before the answer: no two requests, here or in other processes, can be answered by one old head.
 */
export const openWitness = (file: string, { keysOf, signers, now }: WitnessOptions): Witness => {
  const db = openDatabase(file)
  ensureSchema(db.writer, 'witness', 1, ddl)
  const heads = headsIn(db.writer)
  const evidence = evidenceIn(db.writer)
  const served = headsIn(db.reader)
  const kept = evidenceIn(db.reader)

  const answer = (request: AddCheckpoint): WitnessReply => {
    const judged = judgeCheckpoint(request, keysOf, (origin) => checkpointIn(heads.get(hashOf(origin))))
    if (judged.kind === 'good') {
      const note = cosigned(judged.note, signers)
      heads.set(hashOf(judged.checkpoint.origin), noteText(note))
      const own = new Set(signers.map(({ verifier }) => verifier.keyId))
      return reply(
        200,
        note.signatures
          .filter(({ keyId }) => own.has(keyId))
          .map(signatureLine)
          .join(''),
      )
    }
    if (judged.kind === 'unproven') note(judged)
    return refusal(judged)
  }

  const note = ({ note, reason, isFork }: { note: Note; reason: string; isFork: boolean }): void => {
    const { origin } = parseOrigin(note)
    evidence.add({
      origin,
      at: now(),
      reason,
      isFork,
      cosigned: heads.get(hashOf(origin)),
      refused: noteText(note),
    })
  }

  return {
    addCheckpoint: async (body) => {
      let request: AddCheckpoint
      try {
        request = parseAddCheckpoint(body)
      } catch (error) {
        if (error instanceof InvalidNote) return reply(400, `the request ${error.message}\n`)
        throw error
      }
      return db.commit.submit(() => answer(request)).catch(away(file))
    },
    checkpoint: (originHash) => served.get(originHash),
    evidence: () => kept.all(),
    close: () => db.close(),
  }
}

const hashOf = (origin: string): string => createHash('sha256').update(origin).digest('hex')

const parseOrigin = ({ text }: Note): { readonly origin: string } => ({
  origin: text.slice(0, text.indexOf('\n')),
})

const checkpointIn = (note: string | undefined): Checkpoint | undefined =>
  note === undefined ? undefined : parseCheckpoint(parseNote(note).text)

const reply = (
  status: WitnessReply['status'],
  body: string,
  contentType: WitnessReply['contentType'] = 'text/plain; charset=utf-8',
): WitnessReply => ({ status, contentType, body })

const refusal = (judged: Exclude<Judgement, { kind: 'good' }>): WitnessReply => {
  switch (judged.kind) {
    case 'unknown':
      return reply(404, `this witness does not know the log ${judged.origin}\n`)
    case 'unsigned':
      return reply(403, `the checkpoint ${judged.reason}\n`)
    case 'malformed':
      return reply(400, `the checkpoint ${judged.reason}\n`)
    case 'other-size':
      return reply(409, `${judged.size}\n`, 'text/x.tlog.size')
    case 'unproven':
      return reply(422, `the checkpoint ${judged.reason}\n`)
  }
}

const headsIn = (db: DatabaseSync) => {
  const get = query<[note: string]>(db, 'SELECT note FROM heads WHERE origin_hash = ?')
  const set = () =>
    db.prepare('INSERT INTO heads VALUES (?, ?) ON CONFLICT (origin_hash) DO UPDATE SET note = excluded.note')
  return {
    get: (originHash: string): string | undefined => get.get(originHash)?.[0],
    set: (originHash: string, note: string): void => void set().run(originHash, note),
  }
}

const evidenceIn = (db: DatabaseSync) => {
  const all = query<
    [origin: string, at: string, reason: string, isFork: number, cosigned: string | null, refused: string]
  >(db, 'SELECT origin, at, reason, is_fork, cosigned, refused FROM evidence ORDER BY id DESC')
  return {
    add: ({ origin, at, reason, isFork, cosigned, refused }: Evidence): void => {
      db.prepare(
        'INSERT INTO evidence (origin, at, reason, is_fork, cosigned, refused) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ).run(origin, at, reason, isFork ? 1 : 0, cosigned ?? null, refused)
      db.prepare(
        'DELETE FROM evidence WHERE is_fork = 0 AND id NOT IN (SELECT id FROM evidence WHERE is_fork = 0 ORDER BY id DESC LIMIT ?)',
      ).run(mostUnproven)
    },
    all: (): readonly Evidence[] =>
      all.all().map(([origin, at, reason, isFork, cosigned, refused]) => ({
        ...{ origin, at, reason, refused },
        isFork: isFork === 1,
        cosigned: cosigned ?? undefined,
      })),
  }
}

const away =
  (file: string) =>
  (error: unknown): never => {
    if (error instanceof WriterAway) throw new UnavailableError(`${file}: ${error.message}`, { cause: error })
    throw error
  }
