import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLeft } from 'fp-ts/lib/Either.js'
import { embeddedFile } from '../../app/config/config.ts'
import { checkLog } from '../../app/proof/check/check-log.ts'
import type { Difference } from '../../app/proof/check/differences.ts'
import { openHead } from '../../app/proof/open-tree.ts'
import { sealNow } from '../../app/proof/seal-now.ts'
import { itemStream } from '../../domain/fixity/item.ts'
import { plural } from '../output/text.ts'
import { ownTree } from '../proof/own-tree.ts'
import { faults } from './archive.ts'
import type { DemoContext } from './context.ts'

/** The history is signed; then somebody with a database tool makes the damage unseen, in a copy. Returns what to do next. */
export const proofStory = async (context: DemoContext): Promise<readonly string[]> => {
  const { system, say, title, call, signal } = context
  const stopped = await sealNow(system)
  const tree = await ownTree(system)
  if (stopped || isLeft(tree)) return []
  const {
    files,
    head: { text: head },
    verifiers,
  } = tree.right
  const { size } = openHead(head, verifiers)

  await title('The history, sealed; and a forgery found')
  await say(`${plural(Number(size), 'event')} are the leaves of a tree whose root is signed now.`)
  const [log, forged] = [embeddedFile(system.config)!, join(system.config.home, 'forged.db')]
  forge(log, forged)
  await say('In a copy of the log somebody makes the damage unseen: by one line of SQL the letter’s')
  await say('recorded checksum becomes that of the damaged file. No view would tell. But:')
  const found: Difference[] = []
  const copy = await system.openEventStore(`sqlite:${forged}`)
  try {
    const onDifference = (difference: Difference) => void found.push(difference)
    await checkLog(copy, files, head, verifiers, { onDifference, onProgress: () => {}, signal })
  } finally {
    await copy.close()
    for (const part of ['', '-wal', '-shm']) rmSync(`${forged}${part}`, { force: true })
  }
  for (const { says } of found) await say(`  ${says}.`)
  return [
    `What outsiders check it by, and a folder that proves it without Fonds:\n  ${call} proof key\n  ${call} proof export history`,
  ]
}

/** The log has triggers that keep its events from being changed; whoever has the file can drop them. */
const forge = (log: string, copy: string): void => {
  rmSync(copy, { force: true })
  const own = new DatabaseSync(log, { readOnly: true })
  own.prepare('VACUUM INTO ?').run(copy)
  own.close()
  const db = new DatabaseSync(copy)
  const stream = itemStream({ store: 'archive', path: faults.flipped })
  const dataOf = (type: string) =>
    db
      .prepare(
        `SELECT e.position, e.data FROM events e JOIN streams s ON s.id = e.stream_id
         WHERE s.name = ? AND e.type = ? ORDER BY e.position LIMIT 1`,
      )
      .get(stream, type) as { readonly position: number; readonly data: string }
  const sum = /"value":"([0-9a-f]{64})"/
  const recorded = dataOf('ContentRecorded')
  const damaged = sum.exec(dataOf('FixityDecided').data)?.[1] ?? ''
  db.exec('DROP TRIGGER events_never_change')
  db.prepare('UPDATE events SET data = ? WHERE position = ?').run(
    recorded.data.replace(sum, `"value":"${damaged}"`),
    recorded.position,
  )
  db.close()
}
