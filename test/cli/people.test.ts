import { expect, test } from 'vitest'
import { useFonds } from './fonds.ts'

const fonds = useFonds()
const by = ['--actor', 'ben', '--reason', 'new here']

test('people are entered by hand with a name and a reference, as the help shows it', async () => {
  const reference = 'https://login.example#a7'
  const flags = ['--name', 'Ada Brandt', '--reference', reference]
  expect(await fonds.run(['people', 'add', 'ada@archive.example', ...flags, ...by])).toMatchObject({
    code: 0,
  })
  const { rows } = await fonds.run(['people', 'list'])
  expect(rows).toMatchObject([{ reference, name: 'Ada Brandt', mail: 'ada@archive.example' }])
  const { out } = await fonds.run(['people', 'add', '--help'])
  expect(out).toMatch(/--name <text> +name, for people\n +--reference <text>/)
})
