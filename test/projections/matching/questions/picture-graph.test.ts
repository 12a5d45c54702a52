import { describe, expect, it } from 'vitest'
import { componentAnswer } from '#src/projections/matching/questions/component.ts'
import { withMarks } from '#src/projections/matching/questions/picture-graph.ts'
import { folded } from '../folding.ts'

const marked = (work: string, works: Readonly<Record<string, readonly string[]>>, maxWorks?: number) => {
  const all = folded()
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
  const answer = componentAnswer(all.views, work, maxWorks === undefined ? {} : { maxWorks })
  if (!answer) throw new Error(`${work} is in no graph`)
  const { bridges, alike } = withMarks(all.views, answer, work)
  return { bridges, alike }
}

describe('what a drawing needs', () => {
  it('names the links whose ends nothing else joins', () => {
    expect(marked('A', { A: ['B'], B: ['C'], C: ['A', 'D'], D: [] })).toEqual({
      bridges: [{ from: 'C', to: 'D' }],
      alike: [],
    })
  })

  it('names works that differ in nothing, but never the one asked for', () => {
    const star = { A: [], P1: ['A'], P2: ['A'], P3: ['A'], P4: ['A'] }
    expect(marked('A', star).alike).toEqual([['P1', 'P2', 'P3', 'P4']])
    expect(marked('P2', star).alike).toEqual([['P1', 'P3', 'P4']])
  })

  it('of a graph that is cut off, calls no work a leaf whose other links are only not shown', () => {
    const star = { A: [], P1: ['A', 'Q'], P2: ['A', 'Q'], P3: ['A', 'Q'], Q: [] }
    expect(marked('A', star, 4).alike).toEqual([])
  })
})
