import { expect, it } from 'vitest'
import { openDrop } from '#src/workers/ingest/submit/drop-area.ts'
import { useFaultyFs, writingCalls } from '../../fakes/faulty-fs.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

it('says what the disk said where files of a submission could be neither written nor removed', async () => {
  const home = temporaryFolder()
  async function* bytes() {
    yield Buffer.from('text')
  }
  const upload = async () => {
    await using drop = await openDrop(home, 'a', { files: 1, bytes: 100 })
    useFaultyFs().set({ path: home, calls: writingCalls, code: 'EROFS' })
    await drop.write('a.txt', bytes())
  }
  await expect(upload()).rejects.toMatchObject({ code: 'EROFS' })
})
