import { Script } from 'node:vm'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { afterEach, expect, it, vi } from 'vitest'
import type { EventRow } from '#infra/event-store/sqlite/event-row.ts'
import { filterOf } from '#infra/gateway/filter.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const filter = (regex: string) => {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression()
  expression.setRegex(regex)
  const options = new streams.ReadReq.Options.FilterOptions()
  options.setStreamIdentifier(expression)
  options.setMax(32)
  options.setCheckpointintervalmultiplier(1)
  return filterOf(options)
}
const rows = (...names: string[]): EventRow[] =>
  names.map((name, n) => [n, name, 0, 'id', 'T', 0, '{}', '{}', 0] as const).map((row) => [...row])

it('a machine that is busy elsewhere while an expression is tried makes it no worse', () => {
  const run = vi.spyOn(Script.prototype, 'runInContext').mockImplementationOnce(() => {
    throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
  })
  expect(filter('^a').passing(rows('a-1', 'b-1'))).toEqual([true, false])
  expect(run).toHaveBeenCalledTimes(2)
})

it('an expression that takes too long is refused', () => {
  expect(() => filter('^(a+)+$').passing(rows(`${'a'.repeat(60)}!`))).toThrow('takes too long')
})
