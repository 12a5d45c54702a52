import { expect, it } from 'vitest'
import { writeRows } from '../../../src/cli/output/format.ts'
import { outputTo } from '../../../src/cli/output/output.ts'
import { rememberingStream } from './streams.ts'

it('rows of a page of many', async () => {
  // More than a call can have arguments.
  const many = Array.from({ length: 130_000 }, (_, i) => ({ i }))
  const stream = rememberingStream()
  await writeRows(outputTo(stream), [many], { format: 'table' })
  expect(stream.text()).toMatch(/\n129998\n129999\n$/)
})
