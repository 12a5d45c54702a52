import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { ObjectFacts } from '../../../domain/ingest/object/events.ts'
import type { EmbargoWord } from '../../../domain/kernel/embargo.ts'
import { embargoFile, embargoOfFile, maxEmbargoFileBytes } from '../../../domain/kernel/embargo-file.ts'
import type { ObjectStore } from '../../../ports/object-store.ts'
import { unknown } from '../describe/erc.ts'
import { answeredBy } from './answered-by.ts'

/* Each version contains what ingest knew when it stored it: `systemFiles` writes it, and this reads it. */

/** Undefined if the version lacks some of it, as when another program wrote it. Throws `UnavailableError`. */
export const factsOfVersion = async (
  objects: Pick<ObjectStore, 'read'>,
  object: string,
  version: number,
): Promise<ObjectFacts | undefined> => {
  const read = async (name: string): Promise<string> => {
    const found = answeredBy(await objects.read(object, `system/${name}`, version)())
    return found && found.size <= maxBytes ? text(found.open()) : ''
  }
  const ingest = values(await read('mrt-ingest.txt'))
  const ids = values(await read('mrt-mom.txt')).get('localIdentifier') ?? ''
  const erc = values(await read('mrt-erc.txt'))
  const description = Object.fromEntries(
    ['who', 'what', 'when'].flatMap((word) => {
      const value = erc.get(word)
      return value === undefined || value === unknown ? [] : [[word, value]]
    }),
  )
  const facts = ObjectFacts.decode({
    batch: ingest.get('batch'),
    profile: ingest.get('profile'),
    collection: ingest.get('collection'),
    mode: ingest.get('mode'),
    owner: (await read('mrt-owner.txt')).trim(),
    localIds: ids === '' ? [] : ids.split('; '),
    ...(Object.keys(description).length > 0 && { description }),
    embargoUntil: await embargoOfVersion(objects, object, version),
  })
  return E.isRight(facts) ? facts.right : undefined
}

/**
 * The embargo that the files of a version say, of depositors of this version or of one that it carries forward. What
 * cannot be read holds for ever, until a person looks at it. Throws `UnavailableError`.
 */
export const embargoOfVersion = async (
  objects: Pick<ObjectStore, 'read'>,
  object: string,
  version: number,
): Promise<EmbargoWord> => {
  const found = answeredBy(await objects.read(object, `producer/${embargoFile}`, version)())
  return embargoOfFile(found && (found.size <= maxEmbargoFileBytes ? await text(found.open()) : ''))
}

/** Short metadata files. */
const maxBytes = 1_000_000

/** Parses lines `name: value`; the first of several with one name counts. */
const values = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .split('\n')
      .flatMap((line) => {
        const colon = line.indexOf(': ')
        return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2).trim()] as const] : []
      })
      .toReversed(),
  )
