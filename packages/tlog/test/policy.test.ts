import { InvalidNote, isQuorum, parsePolicy } from '@fonds/tlog'
import { noteSigner, verifierKey } from '@fonds/tlog/compute'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ed25519 } from './keys.ts'

const keyOf = (name: string) => verifierKey(noteSigner(name, ed25519()).verifier)
const log = keyOf('archive.example/log')
const [x1, x2, x3, y1] = ['x1', 'x2', 'x3', 'y1'].map((name) => keyOf(`${name}.example/w`))
const text = `# whom we believe
log ${log} https://archive.example/proof
witness X1 ${x1}
  witness\tX2 ${x2} https://x2.example
witness X3 ${x3}

group X 2 X1 X2 X3
witness Y1 ${y1}
group both all X Y1
quorum both
`

describe('a policy', () => {
  it('names logs, witnesses, and how many of them are enough', () => {
    const policy = parsePolicy(text)
    expect(policy.logs).toEqual([{ key: log, url: 'https://archive.example/proof' }])
    expect(policy.witnesses.get('X2')).toEqual({ key: x2, url: 'https://x2.example' })
    expect(policy.witnesses.get('X1')).toEqual({ key: x1 })
    for (const [cosigned, isEnough] of [
      [['X1', 'X2', 'Y1'], true],
      [['X1', 'X2', 'X3', 'Y1'], true],
      [['X1', 'Y1'], false],
      [['X1', 'X2', 'X3'], false],
      [['X', 'Y1'], false],
      [[], false],
    ] as const)
      expect([cosigned, isQuorum(policy, new Set(cosigned))]).toEqual([cosigned, isEnough])
  })

  it('Q25: names keys that were replaced, in comments of a form of ours', () => {
    const lines = `#retired ${x1} 12\n# retired ${x2} 13\n#retired ${x3}\n#retired ${y1}\t0\n`
    expect(parsePolicy(text + lines).retired).toEqual([
      { key: x1, until: 12n },
      { key: y1, until: 0n },
    ])
    expect(parsePolicy(text).retired).toBeUndefined()
  })

  it('may want no witness, or one of several', () => {
    expect(isQuorum(parsePolicy('quorum none\n'), new Set())).toBe(true)
    const any = parsePolicy(`witness a ${x1}\nwitness b ${x2}\ngroup any2 any a b\nquorum any2`)
    expect(isQuorum(any, new Set())).toBe(false)
    expect(isQuorum(any, new Set(['b']))).toBe(true)
  })

  it('more witnesses never make less of a quorum', () => {
    const policy = parsePolicy(text)
    const names = fc.subarray(['X1', 'X2', 'X3', 'Y1'])
    fc.assert(
      fc.property(names, names, (some, others) => {
        if (isQuorum(policy, new Set(some)))
          expect(isQuorum(policy, new Set([...some, ...others]))).toBe(true)
      }),
    )
  })

  it.each([
    ['', 'has 0 lines with a quorum'],
    ['quorum none\nquorum none', 'has 2 lines with a quorum'],
    ['quorum none more', 'line 1: a quorum has one name'],
    ['quorum X1', 'line 1: X1 is defined nowhere before'],
    [`group g any a\nwitness a ${x1}\nquorum g`, 'line 1: a is defined nowhere before'],
    [`witness a ${x1}\nwitness a ${x2}\nquorum a`, 'line 2: a cannot be defined'],
    [`witness none ${x1}\nquorum none`, 'line 1: none cannot be defined'],
    [`witness a ${x1}\ngroup none any a\nquorum none`, 'line 2: none cannot be defined'],
    [`witness a ${x1}\ngroup g 2 a\nquorum g`, 'line 2: a group wants all, any, or a number from 1 to 1'],
    [`witness a ${x1}\ngroup g 0 a\nquorum g`, 'line 2: a group wants'],
    [`witness a ${x1}\ngroup g any a a\nquorum g`, 'line 2: a member stands there twice'],
    ['group g any\nquorum g', 'line 1: a group has at least one member'],
    ['witness a\nquorum a', 'line 1: it wants a verifier key'],
    [`log ${log} https://a.example more\nquorum none`, 'line 1: it wants a verifier key'],
    [`log ${log}\nlog ${log}\nquorum none`, 'twice'],
    ['logs\nquorum none', 'line 1: logs is no word of a policy'],
    ['quorum none\r\n', 'has control characters'],
  ])('%j is refused', (wrong, reason) => {
    expect(() => parsePolicy(wrong)).toThrow(InvalidNote)
    expect(() => parsePolicy(wrong)).toThrow(reason)
  })

  it('refuses one key under two names', () => {
    const renamed = x1!.replace('x1.example', 'other.example')
    expect(() => parsePolicy(`witness a ${x1}\nwitness b ${renamed}\nquorum a`)).toThrow('twice')
  })
})
