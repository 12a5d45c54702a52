import { createWriteStream, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../workers/indexing/temporary-folder.ts'
import { useFaultyFs, writingCalls } from './faulty-fs.ts'

const full = expect.objectContaining({ code: 'ENOSPC', syscall: 'write', errno: -28 })

it('fails writes of every flavour beneath a folder, and no others', async () => {
  const [bad, good] = [temporaryFolder(), temporaryFolder()]
  const disk = useFaultyFs()
  disk.set({ path: bad, calls: ['write'] })
  expect(() => writeFileSync(join(bad, 'a'), 'a')).toThrow(full)
  expect(() => writeSync(openSync(join(bad, 'b'), 'w'), 'b')).toThrow(full)
  await expect(writeFile(join(bad, 'c'), 'c')).rejects.toEqual(full)
  await using handle = await open(join(bad, 'd'), 'w')
  await expect(handle.write('d')).rejects.toEqual(full)
  await expect(pipeline([Buffer.from('e')], createWriteStream(join(bad, 'e')))).rejects.toEqual(full)
  writeFileSync(join(good, 'a'), 'a')
  expect(readFileSync(join(good, 'a'), 'utf8')).toBe('a')
})

it('hits the nth call, so many times, and says what Node says', async () => {
  const folder = temporaryFolder()
  const disk = useFaultyFs()
  const fault = disk.set({ path: folder, calls: ['rename'], nth: 2, times: 1, code: 'EIO' })
  writeFileSync(join(folder, 'a'), 'a')
  renameSync(join(folder, 'a'), join(folder, 'b'))
  await expect(rename(join(folder, 'b'), join(folder, 'c'))).rejects.toMatchObject({
    code: 'EIO',
    syscall: 'rename',
    path: join(folder, 'b'),
    dest: join(folder, 'c'),
  })
  renameSync(join(folder, 'b'), join(folder, 'c'))
  expect([fault.seen(), fault.hits()]).toEqual([3, 1])
  const writing = disk
    .made()
    .filter(({ call, path }) => writingCalls.includes(call) && path?.startsWith(folder))
  expect(writing.map(({ name }) => name)).toEqual([
    'writeFileSync',
    'renameSync',
    'promises.rename',
    'renameSync',
  ])
})

it('cuts writes short, with an error behind that where one is asked for', () => {
  const folder = temporaryFolder()
  const disk = useFaultyFs()
  const file = openSync(join(folder, 'a'), 'w')
  const short = disk.set({ path: folder, calls: ['write'], shortBytes: 2, times: 1 })
  expect(writeSync(file, Buffer.from('abcdef'))).toBe(2)
  short.clear()
  disk.set({ path: folder, calls: ['write'], shortBytes: 1, times: 1, code: 'EDQUOT' })
  expect(() => writeSync(file, Buffer.from('cdef'))).toThrow('EDQUOT')
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('abc')
})

it('puts all back', () => {
  const folder = temporaryFolder()
  const disk = useFaultyFs()
  disk.set({ path: folder })
  expect(() => writeFileSync(join(folder, 'a'), 'a')).toThrow()
  disk.restore()
  writeFileSync(join(folder, 'a'), 'a')
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('a')
})
