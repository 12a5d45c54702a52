import { describe, expect, it } from 'vitest'
import { MachineFailure, machineFailure } from '#src/async/machine-failure.ts'

const error = (code: string, syscall: string, path?: string): Error =>
  Object.assign(new Error(`${code}: no, ${syscall}`), { code, syscall, ...(path && { path }) })
const ours = ['/srv/index']

describe('a failure of the machine', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM'])(
    'is %s, whatever it happened to',
    (code) => {
      expect(machineFailure(error(code, 'open', '/archive/a.warc'))).toBeInstanceOf(MachineFailure)
    },
  )

  it.each(['EIO', 'EACCES', 'EPERM', 'ESTALE'])(
    'is %s of a folder that Fonds writes to, and not of an item',
    (code) => {
      expect(machineFailure(error(code, 'open', '/srv/index/runs/a.cdx'), ours)).toBeInstanceOf(
        MachineFailure,
      )
      expect(machineFailure(error(code, 'write'), ours)).toBeInstanceOf(MachineFailure)
      expect(machineFailure(error(code, 'open', '/archive/a.warc'), ours)).toBeUndefined()
      expect(machineFailure(error(code, 'open', '/srv/index-of-others/a.cdx'), ours)).toBeUndefined()
      expect(machineFailure(error(code, 'read'), ours)).toBeUndefined()
    },
  )

  it('is found beneath an error that it caused, and is one already', () => {
    const cause = error('EMFILE', 'open', '/archive/a.warc')
    const found = machineFailure(new Error('it cannot be fetched', { cause }))
    expect(found?.message).toContain('too many files are open')
    expect(machineFailure(found)).toBe(found)
  })

  it('is nothing that an item can cause', () => {
    for (const code of ['ENOENT', 'EISDIR', 'ENAMETOOLONG', 'ECONNREFUSED'])
      expect(machineFailure(error(code, 'open', '/srv/index/a'), ours)).toBeUndefined()
    expect(machineFailure('ENOSPC')).toBeUndefined()
    expect(machineFailure(new Error('ENOSPC'))).toBeUndefined()
  })
})
