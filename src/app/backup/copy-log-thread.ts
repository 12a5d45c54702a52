import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CopiedLog, FromCopyThread } from './copy-log.ts'

const { from, to } = workerData as { readonly from: string; readonly to: string }

const copy = (): CopiedLog => {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  const file = openSync(to, 'r')
  fsyncSync(file)
  closeSync(file)
  return verify()
}

/** Throws where the copy is damaged. */
const verify = (): CopiedLog => {
  const copied = new DatabaseSync(to, { readOnly: true })
  try {
    const [first] = copied.prepare('PRAGMA integrity_check(1)').all() as {
      readonly integrity_check: string
    }[]
    if (first?.integrity_check !== 'ok') throw new Error(`the copy is damaged: ${first?.integrity_check}`)
    const has = copied.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    if (!has.get('log_identity')) return {}
    const { id } = copied.prepare('SELECT id FROM log_identity').get() as { readonly id: string }
    const last = copied.prepare('SELECT CAST(max(position) AS TEXT) AS position FROM events').get() as {
      readonly position: string | null
    }
    return { log: id, ...(last.position !== null && { position: last.position }) }
  } finally {
    copied.close()
  }
}

const post = (message: FromCopyThread) => parentPort?.postMessage(message)
try {
  post({ kind: 'done', copied: copy() })
} catch (error) {
  post({ kind: 'failed', message: (error as Error).message })
}
