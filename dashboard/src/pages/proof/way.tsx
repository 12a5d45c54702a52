import { count } from '../../parts/words.ts'
import { short, type Way } from './check-way.ts'

const box = { width: 104, height: 30 }
const step = 58
const aside = 128
/** So many hashes of the way are drawn, from the event up; then the root. */
const most = 4
/** Room for how many levels are left out. */
const gap = 22

interface Node {
  readonly hash: Uint8Array
  readonly x: number
  readonly y: number
}

/** The way from the event up to the root, as a picture; the table beside it says the same. */
export const WayPicture = ({ way, isSigned }: { readonly way: Way; readonly isSigned: boolean }) => {
  const { hashes, beside, index, size } = way
  const left = Math.max(0, beside.length - most)
  const drawn = left === 0 ? hashes : [...hashes.slice(0, most), hashes.at(-1)!]
  const siblings = left === 0 ? beside : [...beside.slice(0, most - 1), beside.at(-1)!]
  const rows = drawn.length
  let x = 0
  const nodes: Node[] = []
  const others: Node[] = []
  for (const [i, hash] of drawn.entries()) {
    const y = (rows - 1 - i) * step + 24 + (left > 0 && i < most ? gap : 0)
    nodes.push({ hash, x, y })
    const sibling = siblings[i]
    if (!sibling) continue
    others.push({ hash: sibling.sibling, x: x + (sibling.isLeft ? -aside : aside), y })
    x += sibling.isLeft ? -aside / 2 : aside / 2
  }
  const all = [...nodes, ...others].map((node) => node.x)
  const [from, to] = [Math.min(...all) - box.width / 2 - 70, Math.max(...all) + box.width / 2 + 100]
  const height = rows * step + 30 + (left > 0 ? gap : 0)
  const root = nodes.at(-1)!
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="climb" tabIndex={0} aria-label="The way as a picture">
      <svg
        class="pic"
        width={to - from}
        height={height}
        viewBox={`${from} 0 ${to - from} ${height}`}
        role="img"
        aria-label={`From leaf ${index} up through ${beside.length} hashes to the root of ${size} leaves`}
      >
        {nodes.slice(0, -1).map((node, i) => {
          const above = nodes[i + 1]!
          const middle = node.y - step / 2 + 14
          const isGap = left > 0 && i === most - 1
          return (
            <g key={node.y}>
              <path class="ln" d={`M${others[i]!.x} ${node.y}V${middle}H${above.x}`} />
              <path
                class={isGap ? 'ln hot dash' : 'ln hot'}
                d={`M${node.x} ${node.y}V${middle}H${above.x}V${above.y + box.height}`}
              />
              {isGap && (
                <text class="q" x={above.x + 10} y={middle - 12}>
                  {count(left)} {left === 1 ? 'level' : 'levels'} more
                </text>
              )}
            </g>
          )
        })}
        {others.map((node) => (
          <Box key={node.y} of={node} kind="dash" />
        ))}
        {nodes.map((node) => (
          <Box key={node.y} of={node} kind={node === root && isSigned ? 'ok' : 'me'} />
        ))}
        <text class="bt" x={root.x} y={14} text-anchor="middle">
          root of {count(size)}
          {isSigned ? ', signed' : ''}
        </text>
        <text class="q" x={nodes[0]!.x} y={nodes[0]!.y + box.height + 18} text-anchor="middle">
          leaf {count(index)}: the event
        </text>
      </svg>
    </section>
  )
}

const Box = ({ of: { hash, x, y }, kind }: { readonly of: Node; readonly kind: 'me' | 'ok' | 'dash' }) => (
  <g>
    <rect class={`nd ${kind}`} x={x - box.width / 2} y={y} width={box.width} height={box.height} rx={6} />
    <text class="mono" x={x} y={y + 19} text-anchor="middle">
      {short(hash)}
    </text>
  </g>
)
