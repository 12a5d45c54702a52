import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { isPersonal, type PersonalValue } from '../../src/domain/kernel/personal.ts'
import type { PersonalValues } from '../../src/ports/personal-values.ts'
import { cutWriteAheadLog } from '../sqlite/overwriting.ts'
import { query } from '../sqlite/query.ts'
import { createTransaction } from '../sqlite/transaction.ts'
import { explained, unavailable } from '../sqlite/write-failures.ts'
import { loadMasterKey, makeMasterKey } from './master-key.ts'
import { type Secrets, secretsOf } from './secrets.ts'
import { openValues } from './values-db.ts'

/** Where values are, and their key. */
export interface PersonalFolders {
  readonly folder: string
  readonly keyFolder: string
}

/** Rejects with `UnavailableError` where no values may be kept in folders that have none yet. */
type MayBegin = () => Promise<void>

export const valuesFile = (folder: string): string => join(folder, 'values.db')

/** One SQLite file of encrypted values, beside the log and not in it. File and key are made with the first value. */
export const openPersonalValues = (
  { folder, keyFolder }: PersonalFolders,
  mayBegin: MayBegin = async () => {},
): PersonalValues => {
  const file = valuesFile(folder)
  let opened: { readonly db: DatabaseSync; readonly secrets: Secrets } | undefined

  const open = async () => {
    const exists = existsSync(file)
    if (!exists) await mayBegin()
    const master = (await loadMasterKey(keyFolder)) ?? (exists ? undefined : await makeMasterKey(keyFolder))
    if (!master)
      throw new UnavailableError(
        `personal values are in ${file}, and their key is not in ${keyFolder}: put the folder of the key back`,
      )
    const secrets = secretsOf(master)
    return { db: openValues(file, secrets.check), secrets }
  }

  const attempt = <A>(work: (db: DatabaseSync, secrets: Secrets) => A | Promise<A>) =>
    TE.tryCatch(
      async () => {
        opened ??= await open()
        return await work(opened.db, opened.secrets)
      },
      (error) => unavailable(explained(file, error)),
    )
  /** Without a file there are no values, and none is made for the question. */
  const reading = <A>(none: A, read: (db: DatabaseSync, secrets: Secrets) => A | Promise<A>) =>
    opened || existsSync(file) ? attempt(read) : TE.right(none)

  return {
    seal: (texts) => attempt((db, secrets) => sealAll(db, secrets, texts, isPersonal)),
    sealTyped: (texts) => attempt((db, secrets) => sealAll(db, secrets, texts, () => false)),
    marks: (texts) => attempt((_, { mark }) => texts.map(mark)),
    find: (references) =>
      reading<ReadonlyMap<string, PersonalValue>>(new Map(), (db, secrets) => {
        const one = query<Kept>(
          db,
          'SELECT reference, key, value, erased_at FROM personal WHERE reference = ?',
        )
        return new Map(
          references.flatMap((reference) => {
            const kept = one.get(reference)
            return kept ? [[reference, openedValue(kept, secrets)] as const] : []
          }),
        )
      }),
    referenceOf: (text) =>
      reading<string | undefined>(undefined, (db, secrets) => referenceIn(db, secrets)(text)),
    holding: (text) =>
      reading<readonly string[]>([], (db, secrets) => {
        const sought = folded(text)
        const all = query<Kept>(
          db,
          'SELECT reference, key, value, erased_at FROM personal WHERE erased_at IS NULL ORDER BY rowid',
        )
        return all.all().flatMap((kept) => {
          const value = openedValue(kept, secrets)
          return value.kind === 'value' && folded(value.text).includes(sought) ? [kept[0]] : []
        })
      }),
    erase: (references, at) => reading<void>(undefined, (db) => eraseAll(db, references, at)),
    erasedTo: () =>
      reading<bigint | undefined>(undefined, (db) => {
        const [position] = query<[string]>(db, 'SELECT position FROM erased_to').get() ?? []
        return BigInt(position ?? -1)
      }),
    eraseUpTo: (position, erased) =>
      reading<void>(undefined, async (db) => {
        for (const { references, at } of erased) await eraseAll(db, references, at)
        changing(db, () => {
          db.exec('DELETE FROM erased_to')
          db.prepare('INSERT INTO erased_to VALUES (?)').run(String(position))
        })
      }),
    counts: () =>
      reading({ kept: 0, erased: 0 }, (db) => {
        const sql = 'SELECT count(*), count(erased_at), max(erased_at) FROM personal'
        const [all, erased, last] = query<[number, number, string | null]>(db, sql).get()!
        return { kept: all - erased, erased, ...(last !== null && { lastErased: last }) }
      }),
    close: () => {
      opened?.db.close()
      opened = undefined
    },
  }
}

/** As people compare names: upper and lower case are the same, and so are the forms of Unicode in which keyboards write a letter. */
const folded = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

type Kept = [reference: string, key: Uint8Array | null, value: Uint8Array | null, erasedAt: string | null]

const openedValue = ([, key, value, erasedAt]: Kept, secrets: Secrets): PersonalValue =>
  key && value ? { kind: 'value', ...secrets.open({ key, value }) } : { kind: 'erased', at: erasedAt! }

const referenceIn = (db: DatabaseSync, { lookup }: Secrets): ((text: string) => string | undefined) => {
  const known = query<[reference: string]>(db, 'SELECT reference FROM personal WHERE lookup = ?')
  return (text) => known.get(lookup(text))?.[0]
}

const sealAll = (
  db: DatabaseSync,
  secrets: Secrets,
  texts: readonly string[],
  isSealed: (text: string) => boolean,
): readonly string[] => {
  const known = referenceIn(db, secrets)
  const found = new Map<string, string>()
  const isNew = (text: string): boolean => {
    const reference = isSealed(text) ? text : known(text)
    if (reference !== undefined) found.set(text, reference)
    return reference === undefined
  }
  const missing = [...new Set(texts)].filter(isNew)
  if (missing.length > 0)
    changing(db, () => {
      const add = db.prepare('INSERT INTO personal VALUES (?, ?, ?, ?, NULL)')
      for (const text of missing) {
        // Another process may have been faster; and two texts that are no Unicode can have the same bytes.
        if (!isNew(text)) continue
        const { reference, lookup, key, value } = secrets.seal(text)
        add.run(reference, lookup, key, value)
        found.set(text, reference)
      }
    })
  return texts.map((text) => found.get(text)!)
}

const eraseAll = async (db: DatabaseSync, references: readonly string[], at: string): Promise<void> => {
  changing(db, () => {
    const one = db.prepare(
      'UPDATE personal SET lookup = NULL, key = NULL, value = NULL, erased_at = ? WHERE reference = ? AND erased_at IS NULL',
    )
    for (const reference of references) one.run(at, reference)
  })
  await cutWriteAheadLog(
    db,
    'the values are erased, and another process still reads the file, whose write-ahead log has them: give the command again',
  )
}

const changing = (db: DatabaseSync, work: () => void): void => {
  const done = createTransaction(db)(work)
  if (done.kind === 'failed') throw done.error
  if (done.kind === 'locked') throw new UnavailableError('another process is writing to it')
}
