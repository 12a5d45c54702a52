import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { soundFiles } from '#src/cli/research/sound-files.ts'

describe('sound files that are to be curated', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fonds-sound-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('are those below a folder, by name, told by how they end', async () => {
    mkdirSync(join(folder, 'sub'))
    for (const name of ['b.MP3', 'sub/a.flac', 'notes.txt', 'a.wav']) writeFileSync(join(folder, name), '')
    expect(await soundFiles(folder)).toMatchObject({
      right: {
        taken: [
          { name: 'a.wav', mediaType: 'audio/wav' },
          { name: 'b.MP3', mediaType: 'audio/mpeg' },
          { name: 'sub/a.flac', mediaType: 'audio/flac', path: join(folder, 'sub/a.flac') },
        ],
        leftOut: [],
      },
    })
  })

  it('may be one file', async () => {
    const path = join(folder, 'a.opus')
    writeFileSync(path, '')
    expect(await soundFiles(path)).toMatchObject({
      right: { taken: [{ path, name: 'a.opus', mediaType: 'audio/ogg' }] },
    })
  })

  it('that are not there are said to be missing, with what would be taken', async () => {
    expect(await soundFiles(join(folder, 'none'))).toMatchObject({
      left: expect.stringContaining('is not there'),
    })
    expect(await soundFiles(folder)).toMatchObject({ left: expect.stringContaining('.mp3') })
  })
})
