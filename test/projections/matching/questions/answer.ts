import type { ComponentAnswer, LinkLine, WorkNode } from '#src/projections/matching/questions/answers.ts'

const at = '2026-01-31T12:00:00.000Z'

/** A work as readers get it, redirected to `a` unless said. */
export const node = (id: string, more: Partial<WorkNode> = {}): WorkNode => ({
  id,
  state: 'visible',
  source: 'sierra',
  sourceVersion: 1,
  title: `Title of ${id}`,
  revision: 0,
  document: 'redirect',
  redirectsTo: 'a',
  ...more,
})

export const placeholder = (id: string): WorkNode => ({
  ...node(id),
  ...{ state: 'placeholder', source: null, sourceVersion: null, title: null, revision: null },
  ...{ document: null, redirectsTo: null },
})

export const link = (from: string, to: string, more: Partial<LinkLine> = {}): LinkLine => ({
  from,
  to,
  reasons: ['digitised as'],
  active: true,
  statedAt: at,
  revision: 0,
  ...more,
})

export const component = (
  nodes: readonly WorkNode[],
  links: readonly LinkLine[],
  more: Partial<ComponentAnswer> = {},
): ComponentAnswer => ({
  generation: 1,
  graph: 7,
  component: nodes[0]?.id ?? 'a',
  size: nodes.filter(({ state }) => state !== 'placeholder').length,
  version: 1_769_860_800_000_000,
  changedAt: at,
  target: 'a',
  nodes,
  links,
  bridge: null,
  leftOut: 0,
  ...more,
})

/** One of each kind of work and of link. */
export const everyKind = component(
  [
    node('a', { document: 'merged', redirectsTo: null }),
    node('b'),
    node('c', { state: 'invisible' }),
    node('d', { state: 'deleted', document: 'deleted', redirectsTo: null }),
    placeholder('e'),
  ],
  [
    link('a', 'b', { reasons: ['physical', 'digitised as'] }),
    link('b', 'a'),
    link('c', 'a'),
    link('a', 'd', { active: false }),
    link('c', 'e', { reasons: [] }),
  ],
  { size: 3, bridge: { from: 'a', to: 'c', side: 1 } },
)
