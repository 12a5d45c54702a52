import { expect, it } from 'vitest'
import { batchId } from '../../domain/ingest/samples.ts'
import { folded } from './folding.ts'

const site = 'node-1/00000000000000aa'

it('a site has a row that says when something of its batches and jobs moved last', () => {
  const { log, row } = folded()
  log.open({ submission: { site } })
  const lastMove = () => row('ingest-sites')?.lastMove
  expect(row('ingest-sites')).toMatchObject({ site })
  for (const move of [
    () => log.claim(12),
    () => log.job(12, { type: 'ReleaseClaim', fence: log.fenceOf(12), reason: 'wait' }),
    () => log.job(12, { type: 'HoldJob', reason: 'wait' }),
    () => log.job(12, { type: 'DeleteJob', reason: 'a mistake', confirmed: true }),
    () => log.note(batchId, [0, 'deleted']),
  ]) {
    const before = lastMove()
    move()
    expect(lastMove()! > before!).toBe(true)
  }
})

it('what any node may take up has none', () => {
  const { log, row } = folded()
  log.open()
  log.claim(12)
  expect(row('ingest-sites')).toBeUndefined()
})
