import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mixIn, talk, wav } from '../../../src/cli/demo/sound.ts'
import { progress } from '../../../src/projections/research/questions/progress.ts'
import { launch, startServer, stop, until } from '../run-fonds.ts'
import { curate, sighting } from './curating.ts'
import { useHome } from './world.ts'

/* Python's own server speaks HTTP/1.0: it closes after each body, often before that was read. */

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython)
  console.warn('SKIPPED: 40 sounds from python3 -m http.server. There is no python3 here: install it.')

it.skipIf(!hasPython)(
  '40 sounds from python3 -m http.server: all are researched, by the node that was started',
  async () => {
    const { home, folder, system } = await useHome({ leaseSeconds: 300, itemSeconds: 200 })
    const media = join(folder, 'media')
    mkdirSync(media)
    const phrase = talk(6, 5)
    const save = (id: string, sound: Float32Array) => writeFileSync(join(media, `${id}.wav`), wav(sound))
    const clips = Array.from({ length: 39 }, (_, n) => `clip-${n}`)
    save('show', mixIn(talk(60, 1), phrase, 20))
    for (const [n, id] of clips.entries()) save(id, n === 0 ? phrase : talk(6, 100 + n))
    const server = launch('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '-d', media])
    const port = await until('python3 serves', () => /port (\d+)/.exec(server.stdout())?.[1])
    const at = (id: string) => sighting(id, { mediaUri: `http://127.0.0.1:${port}/${id}.wav` })
    await curate(system, { episodes: [at('show')], clips: clips.map(at) })

    const node = await startServer({
      home,
      env: { FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' },
    })
    const { viewStore, clock } = system
    const done = () => {
      if (node.child.exitCode !== null) throw new Error(`the node ended by itself:\n${node.stderr()}`)
      return (
        viewStore.shape('research-leases') !== undefined &&
        progress(viewStore, clock.now()).researched === clips.length
      )
    }
    await until('each clip was looked for', done, 540)
    expect(progress(viewStore, clock.now())).toMatchObject({ researched: 39, found: 1 })
    const downloads = server.stderr().match(/"GET \/\S+ HTTP\/1.1" 200/g) ?? []
    expect(new Set(downloads).size, server.stderr() + node.stderr()).toBe(40)
    // A connection that this server broke off is asked again, once; nothing else is.
    expect(downloads.length, server.stderr() + node.stderr()).toBeLessThanOrEqual(42)
    expect(await stop(node)).toBe(0)
  },
)
