import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesWith } from '../files-with.ts'
import { useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

/* Q44, Q45: what people write is in the log by reference, and is nowhere any more when it was erased. */

const on = { FONDS_PERSONAL_VALUES: 'on' }

const home = () => {
  const { home } = useFolder()
  mkdirSync(home, { recursive: true })
  return home
}

const who = 'Ada Brandt-Q45'
const why = 'Adelheid-Q45 of Ghent telephoned'

const isPause = ({ type }: { readonly type: string }) => type === 'HoldSet'

const give = async (at: string, ...args: readonly string[]) =>
  ask([...args, '--actor', who, '--reason', why], { home: at, env: on })

test('Q45 actors and reasons of commands are in no file, and readers see them until they are erased', async () => {
  const at = home()
  await give(at, 'do', 'ingest.pause')
  await give(at, 'do', 'fixity.register-store', 'store=main', 'kind=external')
  await ask(['rebuild', '--all'], { home: at, env: on })
  for (const text of [who, why, 'Adelheid-Q45']) expect(filesWith(at, text)).toEqual([])

  const events = await ask(['events'], { home: at })
  const held = events.find(isPause)
  expect(held).toMatchObject({ data: { reason: why }, metadata: { actor: who } })
  const erase = ['do', 'personal.erase', `person=${who}`, '--actor', 'ben', '--reason', 'a request of 3 May']
  const refused = await run(erase, { home: at, env: on })
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain(
    '1 value would be erased, and nothing brings it back: give confirmed=true. Older backups keep what they have',
  )
  expect(filesWith(at, who)).toEqual([])

  const day = new Date().toISOString().slice(0, 10)
  const [outcome] = await ask([...erase, '--confirm', '--id', 'r1'], { home: at, env: on })
  expect(outcome).toMatchObject({ outcome: 'done', events: [{ type: 'PersonErased' }] })
  // The same wish again, under its id, is no other one.
  const [again] = await ask([...erase, '--confirm', '--id', 'r1'], { home: at, env: on })
  expect(again).toMatchObject({ outcome: 'repeated' })
  const after = await ask(['events'], { home: at })
  expect(after.find(isPause)).toMatchObject({
    data: { reason: why },
    metadata: { actor: `[erased on ${day}]` },
  })
  expect(after.at(-1)).toMatchObject({ type: 'PersonErased', metadata: { actor: 'ben' } })

  const mention = ['do', 'personal.erase', 'person=adelheid-q45', 'mentions=true', '--confirm']
  await ask([...mention, '--actor', 'ben', '--reason', 'all of it'], { home: at, env: on })
  const last = await ask(['events'], { home: at })
  expect(last.find(isPause)?.data.reason).toBe(`[erased on ${day}]`)
  expect(JSON.stringify(last)).not.toContain('Q45')
})

test('the example of docs/erasing.md says what happens', async () => {
  const at = home()
  const page = readFileSync(join(import.meta.dirname, '../../docs/erasing.md'), 'utf8')
  const commands = /```\n([\s\S]*?)```/.exec(page)![1]!.trim().split('\n')
  const answers = []
  for (const command of commands) {
    const words = command.match(/(?:[^\s"]+|"[^"]*")+/g)!.map((word) => word.replaceAll('"', ''))
    expect(words.shift()).toBe('bin/fonds')
    answers.push(await ask(words, { home: at }))
  }
  const [, , before, , after] = answers
  const erased = expect.stringMatching(/^\[erased on \d{4}-\d\d-\d\d\]$/)
  expect(before).toMatchObject([
    { metadata: { actor: 'Ada Brandt' }, data: { reason: 'Ada telephoned: the lift is broken' } },
  ])
  expect(after).toMatchObject([{ metadata: { actor: erased }, data: { reason: erased } }])
  expect(filesWith(at, 'Ada Brandt')).toEqual([])
})

test('Q45 a home without the folders of the values keeps none beside them, and takes commands once it has them', async () => {
  const [at, other] = [home(), home()]
  const onLog = { FONDS_EVENT_STORE: `sqlite:${join(at, 'fonds.db')}` }
  const set = (where: string, value: string, more = {}) =>
    run(['settings', 'set', 'personalValues', value, '--actor', 'ben', '--reason', 'r'], {
      home: where,
      env: { ...onLog, ...more },
    })
  const pause = (where: string, verb: string, more = {}) =>
    run(['do', `ingest.${verb}`, '--actor', who, '--reason', why], {
      home: where,
      env: { ...onLog, ...more },
    })
  expect(await set(at, 'on')).toMatchObject({ code: 0 })
  expect(await pause(at, 'pause')).toMatchObject({ code: 0 })

  const refused = await pause(other, 'unpause')
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('the archive keeps personal values in other folders')
  expect(refused.stderr).toContain('FONDS_PERSONAL_FOLDER')
  expect(existsSync(join(other, 'personal'))).toBe(false)
  expect(existsSync(join(other, 'personal-key'))).toBe(false)

  const shared = {
    FONDS_PERSONAL_FOLDER: join(at, 'personal'),
    FONDS_PERSONAL_KEY_FOLDER: join(at, 'personal-key'),
  }
  expect(await pause(other, 'unpause', shared)).toMatchObject({ code: 0 })
  const erased = await run(
    ['do', 'personal.erase', `person=${who}`, '--confirm', '--actor', 'ben', '--reason', 'r'],
    { home: other, env: { ...onLog, ...shared } },
  )
  expect(erased).toMatchObject({ code: 0 })
  for (const folder of [at, other]) expect(filesWith(folder, who)).toEqual([])

  // Where they are lost: off, and on again.
  const off = { FONDS_PERSONAL_VALUES: 'off' }
  expect(await set(other, 'off', off)).toMatchObject({ code: 0 })
  expect(await set(other, 'on', off)).toMatchObject({ code: 0 })
  expect(await pause(other, 'pause')).toMatchObject({ code: 0 })
  expect(existsSync(join(other, 'personal/values.db'))).toBe(true)
})
