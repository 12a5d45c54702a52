import { byId } from '../../../domain/matching/work.ts'
import type { ComponentAnswer, LinkLine, WorkNode } from './answers.ts'
import { pairOf } from './bridges.ts'
import { clip, dotLabel, dotName } from './dot-text.ts'
import { type DrawnGraph, isBridge } from './drawn-graph.ts'

/*
 * Elements that differ in colour differ in shape or line as well: for print, and for people who see colours
 * differently. The colours are of the palette of Okabe and Ito.
 */
const ink = '#1a1a1a'
const grey = '#767676'
const orange = '#d55e00'

/**
 * A wide font that Graphviz can measure, and that is installed everywhere or replaced by a narrower one: text always fits.
 * Bold and slanted fonts would be measured wrong, and run out of their boxes.
 */
const font = 'Verdana'

const maxTitleLength = 48
const maxIdLength = 40
const maxReasonsLength = 40

/** Most nodes and links with curved lines: around many elements those take minutes; straight ones do not. */
const maxCurved = 450

/**
 * A component as a directed graph in Graphviz' language, the same text for the same answer: left to right, sorted by
 * id. `asOf`: the time of the graph, if that is not now.
 */
export const toDot = (graph: DrawnGraph, asOf?: string): string => {
  const { answer } = graph
  const nodes = answer.nodes.toSorted((a, b) => byId(a.id, b.id))
  const drawn = new Set(nodes.map(({ id }) => id))
  const links = answer.links
    .filter(({ from, to }) => drawn.has(from) && drawn.has(to))
    .toSorted((a, b) => byId(a.from, b.from) || byId(a.to, b.to))
  const kinds = nodes.map((node) => kindOf(node, answer))
  const legend = legendOf(new Set(kinds), links, graph)
  return [
    'digraph matching {',
    `  graph [rankdir=LR, nodesep=0.3, ranksep=0.6, outputorder=edgesfirst, fontname="${font}", fontsize=10, fontcolor="${ink}"]`,
    `  graph [labelloc=b, labeljust=l, label=${dotLabel([...captionOf(answer, asOf), ...legend], 'left')}]`,
    ...(nodes.length + links.length > maxCurved
      ? ['  graph [splines=line, nslimit=1, nslimit1=1, mclimit=0.1]']
      : []),
    `  node [shape=box, margin="0.25,0.08", fontname="${font}", fontsize=11, color="${ink}", fontcolor="${ink}", fillcolor=white]`,
    `  edge [fontname="${font}", fontsize=9, color="${ink}", fontcolor="${ink}"]`,
    ...nodes.map((node, i) => `  ${dotName(node.id)} [${nodeText(node, kinds[i]!, graph)}]`),
    ...links.map((link) => `  ${dotName(link.from)} -> ${dotName(link.to)} [${linkText(link, graph)}]`),
    '}',
    '',
  ].join('\n')
}

type Kind = 'target' | 'redirect' | 'hidden' | 'plain' | 'deleted' | 'placeholder'

const kindOf = ({ id, state, document }: WorkNode, { target }: ComponentAnswer): Kind => {
  if (state === 'placeholder' || state === 'deleted') return state
  if (id === target || document === 'merged') return 'target'
  if (document === 'redirect') return 'redirect'
  return state === 'invisible' || document === 'hidden' ? 'hidden' : 'plain'
}

const styles: Readonly<Record<Kind, string>> = {
  target: 'style="filled,bold", penwidth=2.5, fillcolor="#cfe8f7"',
  redirect: 'style="filled,rounded"',
  hidden: 'style="filled", fillcolor="#e6e6e6"',
  plain: 'style="filled"',
  deleted: `style="filled,dashed", color="${grey}", fontcolor="${grey}"`,
  placeholder: 'shape=ellipse, style="filled,dotted"',
}

const nodeText = (node: WorkNode, kind: Kind, { answer, folded }: DrawnGraph): string => {
  const id = clip(node.id, maxIdLength, 'middle')
  const source = node.source === null ? '' : clip(node.source, maxIdLength)
  const about = [source, ...words(node, answer)].filter(Boolean).join(' · ')
  const alike = folded.get(node.id)
  if (alike !== undefined)
    return `label=${dotLabel([`${alike} works`, about, `like ${id}`])}, ${styles[kind]}, shape=box3d`
  const title = node.title ? [clip(node.title, maxTitleLength)] : []
  return `label=${dotLabel([...title, id, about])}, ${styles[kind]}`
}

/** The state of a work, and its document for readers. */
const words = (node: WorkNode, { target }: ComponentAnswer): readonly string[] => {
  if (node.state === 'placeholder') return ['never described']
  if (node.state === 'deleted') return ['deleted']
  const state = node.state === 'visible' ? [] : ['not visible']
  if (node.document === null) return [...state, 'no document yet']
  if (node.document === 'merged') return [...state, node.id === target ? 'shown' : 'shown too']
  if (node.document === 'redirect' && node.redirectsTo !== null && node.redirectsTo !== target)
    return [...state, `redirects to ${clip(node.redirectsTo, maxIdLength, 'middle')}`]
  return [...state, ...(node.document === 'hidden' && state.length > 0 ? [] : [node.document])]
}

const linkText = (link: LinkLine, graph: DrawnGraph): string => {
  const reasons = clip(link.reasons.join(', '), maxReasonsLength)
  if (!link.active)
    return `label=${dotLabel([reasons])}, style="dashed", color="${grey}", fontcolor="${grey}", arrowhead=empty`
  const label = `label=${dotLabel([reasons])}`
  if (isMain(link, graph.answer)) return `${label}, color="${orange}", penwidth=3`
  return isBridge(link, graph) ? `${label}, color="${orange}", dir=both, arrowtail=dot` : label
}

/** True for the link that divides the component most evenly. */
const isMain = ({ from, to }: LinkLine, { bridge }: ComponentAnswer): boolean =>
  bridge !== null && pairOf(from, to) === pairOf(bridge.from, bridge.to)

/** The caption, in short lines: a picture is at least as wide as its caption. */
const captionOf = (answer: ComponentAnswer, asOf: string | undefined): readonly string[] =>
  [
    [
      `${clip(answer.component, maxIdLength, 'middle')}: ${answer.size} ${answer.size === 1 ? 'work' : 'works'}`,
      ...(answer.leftOut > 0 ? [`${answer.leftOut} of them not drawn`] : []),
      `generation ${answer.generation}, version ${answer.version}`,
    ],
    [`last changed ${answer.changedAt}`, ...(asOf === undefined ? [] : [`as of ${asOf}`])],
  ].map((line) => line.join(' · '))

/** Legend of the styles that occur, two to a line. */
const legendOf = (kinds: ReadonlySet<Kind>, links: readonly LinkLine[], graph: DrawnGraph): string[] => {
  const active = links.filter((link) => link.active)
  const entries = [
    kinds.has('target') && 'bold frame: what readers get',
    kinds.has('redirect') && 'rounded: redirects to it',
    kinds.has('hidden') && 'filled grey: not visible',
    kinds.has('deleted') && 'dashed grey: deleted',
    kinds.has('placeholder') && 'dotted: never described by a source',
    active.length < links.length && 'dashed link: does not count, an end is deleted',
    graph.folded.size > 0 && 'a box with depth: so many works that are alike',
    active.some((link) => isMain(link, graph.answer)) &&
      'thick orange link: nothing else holds the works together',
    active.some((link) => isBridge(link, graph) && !isMain(link, graph.answer)) &&
      'orange link from a dot: nothing else joins its ends',
  ].filter((one) => one !== false)
  return Array.from({ length: Math.ceil(entries.length / 2) }, (_, i) =>
    entries.slice(2 * i, 2 * i + 2).join(' · '),
  )
}
