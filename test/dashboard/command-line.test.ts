import { expect, it } from 'vitest'
import { commandLine } from '../../dashboard/src/parts/command-line.ts'

it('writes a command as the shell takes it, without fields that are left out', () => {
  expect(commandLine('fixity.check', { store: 'main', path: 'a/b.tif', prefix: '' })).toBe(
    'fonds do fixity.check store=main path=a/b.tif --actor <you> --reason <why>',
  )
  expect(commandLine('fixity.check', { path: "Ada's letters/$1" })).toBe(
    "fonds do fixity.check 'path=Ada'\\''s letters/$1' --actor <you> --reason <why>",
  )
})
