import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const by = ['--actor', 'ann', '--reason', 'new']
const register = ['do', 'fixity.register-store', 'store=main', 'kind=external']

describe('a command', () => {
  test('is done, said with what changed, and seen by views', async () => {
    const { code, rows, err } = await fonds.run([...register, 'intervalDays=60', 'replica=true', ...by])
    expect([code, err]).toEqual([0, ''])
    expect(rows).toMatchObject([
      {
        command: 'fixity.register-store',
        outcome: 'done',
        stream: 'fixityStore-main',
        events: [{ type: 'StoreRegistered' }],
      },
    ])
    const stores = await fonds.run(['query', 'fixity-stores'])
    expect(stores.rows).toMatchObject([{ store: 'main', intervalDays: 60, replica: 1 }])
  })

  test('brings what follows from it to rest before it returns', async () => {
    await fonds.run([...register, ...by])
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a'), recorded('b')) })
    await fonds.run(['do', 'fixity.check-store', 'store=main', ...by])
    const { rows } = await fonds.run(['events', '--type', 'ChecksRequested'])
    expect(rows).toMatchObject([{ data: { store: 'main', paths: ['a', 'b'] } }])
  })

  test('keeps who wanted it and why', async () => {
    await fonds.run([...register, ...by])
    const change = [
      'do',
      'fixity.change-policy',
      'store=main',
      'intervalDays=9',
      'lagSeconds=0',
      'replica=false',
    ]
    await fonds.run([...change, '--actor', 'bob', '--reason', 'a bad disk'])
    const { rows } = await fonds.run(['events', '--type', 'PolicyChanged'])
    expect(rows).toMatchObject([
      { metadata: { actor: 'bob' }, data: { reason: 'a bad disk', policy: { intervalDays: 9 } } },
    ])
  })

  test('takes JSON on standard input', async () => {
    const stdin = '{"store": "60", "kind": "external", "intervalDays": 60}'
    const { code, rows } = await fonds.run(['do', 'fixity.register-store', '-', ...by], { stdin })
    expect(code).toBe(0)
    expect(rows[0]).toMatchObject({ stream: 'fixityStore-60' })
  })

  test('with the same --id has its effect once', async () => {
    await fonds.run([...register, ...by, '--id', 'k1'])
    const { code, rows } = await fonds.run([...register, ...by, '--id', 'k1'])
    expect([code, rows[0]?.outcome]).toEqual([0, 'repeated'])
  })

  test('that the domain rejects: 1, with its sentence', async () => {
    const { code, out, err } = await fonds.run(['do', 'fixity.check', 'store=main', 'path=nothing', ...by])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('nothing is known of main/nothing')
  })

  test('is told in words on a terminal', async () => {
    const { out } = await fonds.run([...register, ...by], { terminal: 100 })
    expect(out).toMatch(
      /^fixity\.register-store: done \(fixityStore-main, position \d+\)\n {2}Store registered/,
    )
  })
})

describe('the commands', () => {
  test('are listed with examples', async () => {
    const { code, rows } = await fonds.run(['do'])
    expect(code).toBe(0)
    expect(rows.find(({ command }) => command === 'fixity.check')).toMatchObject({
      example: { store: 'main', path: 'letters/1912/03.tif' },
    })
    const { out } = await fonds.run(['do'], { terminal: 100 })
    expect(out).toContain(
      'fonds do fixity.check store=main path=letters/1912/03.tif --actor <you> --reason <why>',
    )
  })
})

describe('a command that was renamed', () => {
  const former = 'house.end-lease'
  const now = 'system.end-lease'

  test('is taken by either name', async () => {
    for (const name of [former, now]) {
      const { code, err } = await fonds.run(['do', name, 'lease=nobody', ...by])
      expect([name, code]).toEqual([name, 1])
      expect(err).toContain('this lease was never held')
    }
  })

  test('is shown by its present name alone', async () => {
    const { rows } = await fonds.run(['do'])
    expect(rows.map(({ command }) => command)).toContain(now)
    expect(JSON.stringify(rows)).not.toContain(former)
    const { out } = await fonds.run(['do', former, '--help'])
    expect(out).toContain(`$ fonds do ${now} lease=reactions`)
    expect(out).not.toContain(former)
  })
})

describe('help of one command', () => {
  test('has its fields with types, what is required, and an example', async () => {
    const { code, out, err } = await fonds.run(['do', 'fixity.resolve', '--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^ {2}path +required {2}text /m)
    expect(out).toMatch(/^ {2}how +required {2}repaired, accepted, lost or false-alarm /m)
    expect(out).toContain('$ fonds do fixity.resolve store=main')
    expect(out).not.toContain('research.prioritise')
  })

  test('says which fields exclude each other, and which are optional', async () => {
    const { out } = await fonds.run(['do', 'research.reopen', '-h'])
    expect(out).toContain('Give either all, or episode or clip or engine.')
    expect(out).toMatch(/^ {2}all +optional {2}true or false/m)
  })

  test('there is one for every command, with its example', async () => {
    for (const { command } of (await fonds.run(['do'])).rows) {
      const { code, out } = await fonds.run(['do', String(command), '--help'])
      expect([command, code]).toEqual([command, 0])
      expect(out).toContain(`$ fonds do ${String(command)} `)
    }
  })

  test('opens no home', async () => {
    await fonds.run(['do', 'fixity.accept', '--help'])
    expect(existsSync(fonds.home)).toBe(false)
  })

  test('of a command that is not there: 1, with what may be meant', async () => {
    const { code, out, err } = await fonds.run(['do', 'fixity.acept', '--help'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('did you mean fixity.accept?')
  })

  test('without a name it is of the whole', async () => {
    const { out } = await fonds.run(['do', '--help'])
    expect(out).toContain('Without a command it lists them')
    expect(out).toContain('research.prioritise --each')
  })
})

describe('wrong usage', () => {
  test.each([
    [['do', 'fixity.check', 'store=main', 'path=a', '--reason', 'x'], 2, '--actor is missing'],
    [['do', 'fixity.check', 'store=main', 'path=a', '--actor', 'x'], 2, '--reason is missing'],
    [
      ['do', 'fixity.check', 'store=main', 'path=a', '--actor', ' ', '--reason', 'x'],
      2,
      '--actor is missing',
    ],
    [['do', 'fixity.check', 'store=main', ...by], 2, 'path: '],
    [['do', 'fixity.check', 'store=main', 'pat=a', ...by], 2, 'did you mean path?'],
    [['do', 'fixity.check', 'store', ...by], 2, 'write key=value'],
    [['do', 'fixity.check', '-', 'store=main', ...by], 2, 'not both'],
    [['do', 'fixity.chek', ...by], 1, 'did you mean fixity.check?'],
  ])('%j', async (argv, wanted, says) => {
    const { code, out, err } = await fonds.run(argv)
    expect([code, out]).toEqual([wanted, ''])
    expect(err).toContain(says)
  })

  test.each(['', 'nonsense', '[]', '{"__proto__": {}}'])('%j on standard input', async (stdin) => {
    const { code, err } = await fonds.run(['do', 'fixity.check', '-', ...by], { stdin })
    expect(code).toBe(2)
    expect(err).toContain('standard input')
  })
})
