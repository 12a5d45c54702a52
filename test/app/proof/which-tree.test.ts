import { describe, expect, it } from 'vitest'
import { whichTree } from '#src/app/proof/which-tree.ts'

const first = 'log/1'
const ordered = (origin: string, earlier: string) => ({
  origin,
  instead: { earlier: { origin: earlier }, event: 'e' },
})
const decide = (here?: string, mark?: string, order?: ReturnType<typeof ordered>) =>
  whichTree({ here, mark, ordered: order, first })

describe('which tree a home extends', () => {
  it('an older home, and a new one: a tree of its own', () => {
    expect(decide()).toEqual({ kind: 'begin', origin: first })
  })
  it('its own, where the log has its mark or lost it', () => {
    expect(decide('a', 'a')).toEqual({ kind: 'extend' })
    // After a move to another log, or a crash before the mark was set.
    expect(decide('a')).toEqual({ kind: 'extend' })
  })
  it('none where another home has it: two trees of one log would be two histories', () => {
    expect(decide(undefined, 'a')).toEqual({ kind: 'elsewhere', origin: 'a' })
    expect(decide('b', 'a')).toEqual({ kind: 'elsewhere', origin: 'a' })
  })
  it('a new one by a person’s word, once, in the place of the tree that was meant (Q15)', () => {
    const order = ordered('b', 'a')
    expect(decide('a', 'a', order)).toEqual({ kind: 'begin', ...order })
    expect(decide('a', undefined, order)).toEqual({ kind: 'begin', ...order })
    // A restored home has neither files nor key.
    expect(decide(undefined, 'a', order)).toEqual({ kind: 'begin', ...order })
    expect(decide('b', 'a', order)).toEqual({ kind: 'extend' })
    expect(decide('b', 'b', order)).toEqual({ kind: 'extend' })
    expect(decide(undefined, 'b', order)).toEqual({ kind: 'elsewhere', origin: 'b' })
    expect(decide('c', 'c', order)).toEqual({ kind: 'extend' })
    expect(decide('a', 'b', order)).toEqual({ kind: 'elsewhere', origin: 'b' })
  })
})
