import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPersonalValues } from '#infra/personal/personal-values.ts'
import { markedAmong, markHeader, marksOf } from '#src/processors/runtime/message-marks.ts'

/* Q45 */

const archive = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-marks-'))
  const personal = openPersonalValues({ folder: join(folder, 'values'), keyFolder: join(folder, 'key') })
  onTestFinished(() => {
    personal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { personal }
}

const record = {
  topic: 'fonds.ingest.submissions',
  key: 'k',
  headers: { ce_id: '1', ce_source: 'urn:s', ce_type: 'batch.submitted' },
  value: '{"submitter":"personal:x"}',
}

it('is of the whole message: any other word in it, and it is none', async () => {
  const here = archive()
  const [mark = ''] = await marksOf(here, [record])
  const marked = { ...record, headers: { ...record.headers, [markHeader]: mark } }
  const others = [
    { ...marked, value: '{"submitter":"personal:y"}' },
    { ...marked, key: 'l' },
    { ...marked, topic: 'fonds.ingest.steps' },
    ...['ce_id', 'ce_source', 'ce_type'].map((name) => ({
      ...marked,
      headers: { ...marked.headers, [name]: '2' },
    })),
    { ...marked, headers: { ...marked.headers, [markHeader]: mark.slice(1) } },
    { ...marked, headers: { ...marked.headers, [markHeader]: '' } },
    { ...marked, value: Buffer.from([0xff]) },
    record,
  ]
  // As a broker delivers it.
  const bytes = { ...marked, value: Buffer.from(marked.value) }
  expect(await markedAmong(here, [marked, bytes, ...others])).toEqual(new Set([marked, bytes]))
  expect(await markedAmong(archive(), [marked])).toEqual(new Set())
})
