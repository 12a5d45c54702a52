import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { writeContent } from './archive.ts'
import { openHome } from './open-home.ts'
import { ask, launch, run, useFolder } from './run-fonds.ts'

/* The command line where things are not as they should be. */

it('a reader that leaves is no error, whatever it was being told', async () => {
  const { home, root } = useFolder()
  for (let i = 0; i < 300; i++) writeContent(root, `${i}.txt`, String(i))
  await ask(['fixity', 'add', root, '--store', 'main'], { home })
  const fonds = `${import.meta.dirname}/../../bin/fonds`
  for (const args of ['--help', 'events', 'query fixity-items', 'schema', 'topics']) {
    const shell = launch('bash', ['-c', `"${fonds}" ${args} | true; exit "\${PIPESTATUS[0]}"`], {
      FONDS_HOME: home,
    })
    expect(await shell.exit, args).toBe(0)
    expect(shell.stderr(), args).toBe('')
  }
})

it('views that an event of a newer Fonds stopped are told of at once, by every command that needs them', async () => {
  const { home, root } = useFolder()
  writeContent(root, 'kept.txt', 'kept')
  await ask(['fixity', 'add', root, '--store', 'main'], { home })
  const system = await openHome(home)
  const metadata = { actor: 'newer', causationId: 'newer', correlationId: 'newer', schema: 99 }
  const event = { id: crypto.randomUUID(), type: 'ContentRecorded', data: { unheardOf: true }, metadata }
  expect(isRight(await system.eventStore.append('fixity-main/newer', 'none', [event])())).toBe(true)
  await system.close()

  for (const args of [
    ['query', 'fixity-items'],
    ['fixity', 'report'],
    ['fixity', 'check'],
    ['fixity', 'add', root],
  ]) {
    const { code, stdout, stderr } = await run(args, { home })
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('projection fixity stopped at position')
    expect(stderr).toContain('fixity-main/newer')
  }
})

it('Fonds runs from a folder whatever its name is', async () => {
  const { root } = useFolder()
  const installed = join(root, 'a #1 %20 (fonds)')
  const sources = join(import.meta.dirname, '../..')
  for (const name of ['bin', 'packages', 'src', 'infra', 'package.json'])
    cpSync(join(sources, name), join(installed, name), { recursive: true })
  symlinkSync(join(sources, 'node_modules'), join(installed, 'node_modules'))
  const shell = launch(join(installed, 'bin/fonds'), ['query', 'fixity-items'], {
    FONDS_HOME: join(root, 'home'),
  })
  expect(await shell.exit).toBe(0)
  expect(shell.stderr()).toBe('')
})

it('a home that cannot be used and settings that are wrong are named', async () => {
  const { root } = useFolder()
  writeContent(root, 'file', '')
  const away = await run(['query', 'fixity-items'], { home: `${root}/file/home` })
  expect(away.code).toBe(3)
  expect(away.stderr).toContain(`${root}/file`)
  const home = `${root}/home`
  mkdirSync(`${home}/views.db`, { recursive: true })
  const noViews = await run(['query', 'fixity-items'], { home })
  expect(noViews.code).toBe(3)
  expect(noViews.stderr).toContain(`${home}/views.db`)
  const wrong = await run(['topics', '--hands', 'none'], { home: root, env: { FONDS_PORT: '70000' } })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('FONDS_PORT')
  expect(wrong.stderr).toContain('--hands')
})
