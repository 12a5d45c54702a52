import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { keepUpload } from '#src/workers/research/media/keep-upload.ts'
import { useFaultyFs } from '../../../fakes/faulty-fs.ts'
import { temporaryFolder } from '../../indexing/temporary-folder.ts'

it('keeps all bytes of a clip where the disk takes a part of a write', async () => {
  const folder = temporaryFolder()
  const sound = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(1000, 'sound')])
  async function* body() {
    yield sound.subarray(0, 600)
    yield sound.subarray(600)
  }
  useFaultyFs().set({ path: folder, calls: ['write'], shortBytes: 300, times: 1 })
  const kept = await keepUpload(folder, body(), {
    maxBytes: 10_000,
    takeRoom: () => undefined,
    mayKeep: () => undefined,
  })
  if (isLeft(kept)) throw new Error(kept.left.message)
  const path = fileURLToPath(kept.right.mediaUri)
  expect(existsSync(path) && readFileSync(path).equals(sound)).toBe(true)
})
