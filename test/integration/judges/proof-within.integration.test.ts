import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultLayout, objectFolders } from '@fonds/ocfl/layout'
import { openStorageRoot } from '@fonds/ocfl/root'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { within } from '#src/app/proof/export/within.ts'
import { bagOf, writeBag } from '../../../packages/bag/test/bagit/bags.ts'
import { exportThingsIn, logOf900 } from '../../app/proof/exported.ts'
import { sealAll } from '../../app/proof/sealer.ts'
import { server } from '../servers.ts'
import { isAbsent, isValid, judgeObject, judgeRoot } from './ocfl-judges.ts'

/* The proof of a thing within its package: judged as a package by other people's tools, and as a proof by the program in it. */

const judge = server('bagit')
const python = join(dirname('address' in judge ? judge.address : ''), 'python')

let folder: string
let write: (to: string) => ReturnType<typeof within>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-within-'))
  const store = await logOf900()
  await sealAll(folder, store, { perRead: 300, perHead: 300n })
  const things = [{ thing: 'a', streams: ['item-a'], elsewhere: [] }]
  write = (to) =>
    within(to, async (at) => {
      await exportThingsIn(folder, store, things, { to: at })
      return right({ folder: at })
    })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const proves = (proof: string) => {
  const { status, stdout } = spawnSync(python, ['verify.py', '.'], { cwd: proof, encoding: 'utf8' })
  expect(stdout).toContain('item-a had 101 events and no other when 900 leaves were signed')
  expect(status).toBe(0)
}

describe('Q55, Q86: the proof of a thing within its package', () => {
  it.skipIf('absent' in judge)('is listed by a bag that bagit.py validates, also a second time', async () => {
    const bag = join(folder, 'bag')
    writeBag(bag, bagOf({ 'data/letter.txt': 'dear sir' }))
    const validate = () => spawnSync('address' in judge ? judge.address : '', ['--validate', bag]).status
    for (let times = 0; times < 2; times++) {
      expect(isLeft(await write(bag))).toBe(false)
      expect(validate()).toBe(0)
    }
    proves(join(bag, 'fonds-proof'))
    writeFileSync(join(bag, 'fonds-proof/checkpoint'), 'changed')
    expect(validate()).not.toBe(0)
  })

  it.skipIf(isAbsent)(
    'is in the logs/ of an object that ocfl-py and rocfl validate, and stays there',
    async () => {
      const at = join(folder, 'root')
      const root = openStorageRoot({ root: at, process: 'test' })
      const letter = join(folder, 'letter.txt')
      writeFileSync(letter, 'dear sir')
      const sha256 = createHash('sha256').update('dear sir').digest('hex')
      const version = (basedOn: number, path: string) =>
        root.write({
          ...{
            object: 'ark:/99999/fk4a',
            basedOn,
            carry: 'all',
            message: 'a deposit',
            user: { name: 'Ada' },
          },
          ...{ created: '2026-11-29T10:00:00Z', files: [{ path, size: 8, sha256, from: letter }] },
        })
      await version(0, 'one.txt')
      const object = join(at, ...objectFolders('ark:/99999/fk4a', defaultLayout))
      expect(isLeft(await write(object))).toBe(false)
      const judged = () => {
        expect(judgeRoot(at)).toEqual(isValid)
        expect(judgeObject(at, 'ark:/99999/fk4a').code).toBe(0)
      }
      judged()
      await version(1, 'two.txt')
      judged()
      expect(existsSync(join(object, 'v2'))).toBe(true)
      proves(join(object, 'logs/fonds-proof'))
    },
  )
})
