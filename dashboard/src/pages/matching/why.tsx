import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { compareAt, graphAt, whatIfAt } from './addresses.ts'
import { titleIn, Work } from './work.tsx'

type WhyAnswer = AnswerOf<'/api/v1/matching/why'>
type Hop = Extract<WhyAnswer, { kind: 'together' }>['path'][number]

/** Why two works are one, and which links alone would part them. */
export const Why = ({ a, b }: { readonly a: string; readonly b: string }) => {
  const address = useAddress()
  const asked = useAnswer('/api/v1/matching/why', { query: { a, b } })
  const known = asked.answered?.data.titles ?? {}
  const titles = { a: titleIn(known, a), b: titleIn(known, b) }
  return (
    <section class="panel" aria-labelledby="why">
      <h2 id="why">
        Why are <Work id={a} title={titles.a} isHere /> and <Work id={b} title={titles.b} isHere /> one?
      </h2>
      <p class="verbs">
        <Link to={graphAt(b)}>Look from there</Link>
        <Link to={compareAt(a, b)}>Side by side</Link>
        <Link to={changed(address, { with: undefined })}>Close</Link>
      </p>
      <Answer of={asked}>{(answer) => <Way answer={answer} />}</Answer>
    </section>
  )
}

/** The links from one to the other, or since when there are none. */
export const Way = ({ answer }: { readonly answer: WhyAnswer }) =>
  answer.kind === 'together' ? <Together answer={answer} /> : <Apart answer={answer} />

const Together = ({ answer }: { readonly answer: Extract<WhyAnswer, { kind: 'together' }> }) => (
  <>
    <p>
      Each of these links leads to the next
      {answer.since !== null && (
        <>
          ; they are in one graph since <Time at={answer.since} form="when" />
        </>
      )}
      .
    </p>
    <ol class="hops">
      {answer.path.map((hop) => (
        <HopLine key={`${hop.from} ${hop.to}`} hop={hop} titles={answer.titles} />
      ))}
    </ol>
    {answer.parting.length === 0 ? (
      <p>No single link parts them: they are joined by more than one way.</p>
    ) : (
      <>
        <p>Without any one of these they would part:</p>
        <ul class="hops">
          {answer.parting.map((hop) => (
            <HopLine key={`${hop.from} ${hop.to}`} hop={hop} titles={answer.titles} mayDrop />
          ))}
        </ul>
      </>
    )}
  </>
)

const Apart = ({ answer }: { readonly answer: Extract<WhyAnswer, { kind: 'apart' }> }) => (
  <>
    <p>
      They are not one
      {answer.lastTogether === null ? (
        ', and never were.'
      ) : (
        <>
          ; they were until <Time at={answer.lastTogether.until} form="when" />.
        </>
      )}
    </p>
    {answer.cut.length > 0 && (
      <>
        <p>These links would join them, if their deleted ends came back:</p>
        <ul class="hops">
          {answer.cut.map((link) => (
            <li key={`${link.from} ${link.to}`}>
              <Stated link={link} titles={answer.titles} />
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)

interface HopLineProps {
  readonly hop: Hop
  readonly titles: WhyAnswer['titles']
  readonly mayDrop?: boolean
}

const HopLine = ({ hop, titles, mayDrop = false }: HopLineProps) => (
  <li>
    {hop.links.map((link) => (
      <div key={`${link.from} ${link.to}`}>
        <Stated link={link} titles={titles} />
        {mayDrop && (
          <>
            {' '}
            <Link to={whatIfAt(link)}>What if it were dropped?</Link>
          </>
        )}
      </div>
    ))}
  </li>
)

interface StatedProps {
  readonly link: Hop['links'][number]
  readonly titles: WhyAnswer['titles']
}

const Stated = ({ link: { from, to, reasons, statedAt }, titles }: StatedProps) => (
  <>
    <Work id={from} title={titleIn(titles, from)} /> says <Name text={reasons.join(', ')} /> of{' '}
    <Work id={to} title={titleIn(titles, to)} />, since <Time at={statedAt} form="when" />
  </>
)
