import { beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '#src/domain/matching/merged/document.ts'
import { t } from './catalogue.ts'
import { type Folded, folded } from './folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const graph = (id = 'A') => all.row('matching-graphs', { graph: all.graphOf(id) })

const merged = (component = 'A', size = 2): Document => ({
  kind: 'merged',
  component,
  size,
  from: [],
  fields: {},
  title: 'A work',
})
const redirect = (to: string, component = 'A'): Document => ({ kind: 'redirect', component, to })

const pair = () => {
  all.log.say('A', { links: ['B'] })
  all.log.say('B')
  all.log.flush()
}

describe('a document', () => {
  it('is shown by generation, with its version', () => {
    pair()
    all.log.document('A', merged())
    all.log.document('A', redirect('B'), { generation: 2, version: 9 })
    expect(all.rows('matching-merged')).toMatchObject([
      {
        generation: 1,
        work: 'A',
        kind: 'merged',
        title: 'A work',
        to: null,
        version: all.log.version(),
        at: t(3),
      },
      { generation: 2, work: 'A', kind: 'redirect', title: null, to: 'B', component: 'A', version: 9 },
    ])
  })

  it('M4: all of a component are indexed when each is there at the graph’s version', () => {
    pair()
    expect(graph()).toMatchObject({ indexed: 0, waitingSince: t(2), target: null })
    all.log.document('A', merged())
    expect(graph()).toMatchObject({ indexed: 1, waitingSince: t(2) })
    all.log.document('B', redirect('A'))
    expect(graph()).toMatchObject({ indexed: 2, waitingSince: null, target: 'A', redirects: 1, fault: null })
  })

  it('M4: a change of the graph makes all of it wait again', () => {
    pair()
    all.log.merge()
    all.log.say('B', { title: 'new' })
    all.log.flush()
    expect(graph()).toMatchObject({ indexed: 0, waitingSince: t(6), target: 'A', merged: 1, redirects: 1 })
    all.log.merge()
    expect(graph()).toMatchObject({ indexed: 2, waitingSince: null, target: 'A', merged: 1, redirects: 1 })
  })

  it('M4: those that a mark holds as they are count for the graph’s version, too', () => {
    pair()
    all.log.merge()
    all.log.say('B', { title: 'new' })
    all.log.flush()
    all.log.mark('A', 2, ['A'])
    expect(graph()).toMatchObject({ indexed: 1, waitingSince: t(6) })
    all.log.document('A', merged())
    expect(graph()).toMatchObject({
      indexed: 2,
      waitingSince: null,
      target: 'A',
      merged: 1,
      redirects: 1,
      fault: null,
    })
    all.log.say('B')
    all.log.flush()
    all.log.mark('A', 2, [])
    expect(graph()).toMatchObject({ indexed: 2, waitingSince: null, version: all.log.version(), fault: null })
  })

  it('a mark that says nothing of documents holds none', () => {
    pair()
    all.log.merge()
    all.log.say('B')
    all.log.flush()
    all.log.mark('A', 2)
    expect(graph()).toMatchObject({ indexed: 0, waitingSince: expect.any(String) })
  })

  it('that a mark holds is counted in the graph that its work came into', () => {
    for (const id of ['B', 'C', 'D', 'E']) all.log.say(id, { links: ['A'] })
    all.log.say('A')
    all.log.flush()
    all.log.merge()
    // A and B keep their documents, the larger part keeps the graph.
    for (const id of ['C', 'D', 'E']) all.log.say(id, { links: id === 'C' ? [] : ['C'] })
    all.log.flush()
    all.log.mark('A', 2, ['A'])
    all.log.merge(['A'])
    all.log.merge(['C'])
    expect(
      all
        .rows('matching-graphs')
        .map(({ component, merged, redirects, astray, target, fault, waitingSince }) => ({
          component,
          merged,
          redirects,
          astray,
          target,
          fault,
          waitingSince,
        })),
    ).toEqual([
      { component: 'C', merged: 1, redirects: 2, astray: 0, target: 'C', fault: null, waitingSince: null },
      { component: 'A', merged: 1, redirects: 1, astray: 0, target: 'A', fault: null, waitingSince: null },
    ])
  })

  it('one of another version than the graph’s does not count', () => {
    pair()
    const older = all.log.version()
    all.log.say('B')
    all.log.flush()
    all.log.document('A', merged(), { version: older })
    expect(graph()).toMatchObject({ indexed: 0 })
  })

  it('M11: the same version again, with another document, counts once', () => {
    pair()
    all.log.document('A', merged())
    all.log.document('B', redirect('A'))
    all.log.document('B', merged())
    expect(graph()).toMatchObject({ indexed: 2, merged: 2, redirects: 0, fault: null, target: 'B' })
    all.log.document('A', redirect('B'))
    expect(graph()).toMatchObject({ indexed: 2, merged: 1, redirects: 1, fault: null, target: 'B' })
  })

  it('of a work that is in no graph is shown all the same', () => {
    all.log.document('X', merged('X', 1))
    expect(all.rows('matching-merged')).toHaveLength(1)
  })

  it('of a deleted work is one more', () => {
    all.log.say('A', { state: 'deleted' })
    all.log.flush()
    all.log.merge()
    expect(graph()).toMatchObject({ indexed: 1, size: 1, waitingSince: null, target: null, fault: null })
  })
})

describe('M17: what is wrong at rest', () => {
  it('no-target: works redirect, and none is shown', () => {
    pair()
    all.log.document('A', redirect('B'))
    expect(graph()).toMatchObject({ fault: null })
    all.log.document('B', redirect('A'))
    expect(graph()).toMatchObject({ fault: 'no-target' })
  })

  it('two-targets: a work redirects, and two are shown', () => {
    all.log.say('A', { links: ['B', 'C'] })
    all.log.say('B')
    all.log.say('C')
    all.log.flush()
    all.log.document('A', merged())
    all.log.document('B', merged())
    all.log.document('C', redirect('A'))
    expect(graph()).toMatchObject({ fault: 'two-targets' })
    all.log.document('B', redirect('A'))
    expect(graph()).toMatchObject({ fault: null, target: 'A' })
  })

  it('works that do not merge are no two targets', () => {
    pair()
    all.log.document('A', merged())
    all.log.document('B', merged())
    expect(graph()).toMatchObject({ merged: 2, fault: null })
  })

  it('astray: a redirect leads out of the graph, or to what is no work', () => {
    all.log.say('A', { links: ['B', 'P'] })
    all.log.say('B')
    all.log.say('X')
    all.log.flush()
    all.log.document('A', merged())
    for (const to of ['X', 'P', 'nowhere']) {
      all.log.document('B', redirect(to))
      expect(graph()).toMatchObject({ fault: 'astray', astray: 1 })
    }
    all.log.document('B', redirect('A'))
    expect(graph()).toMatchObject({ fault: null, astray: 0 })
  })

  it('is forgotten with the next change', () => {
    pair()
    all.log.document('A', redirect('B'))
    all.log.document('B', redirect('A'))
    all.log.say('A', { links: ['B'] })
    all.log.flush()
    expect(graph()).toMatchObject({ fault: null, redirects: 2, waitingSince: t(6) })
  })
})
