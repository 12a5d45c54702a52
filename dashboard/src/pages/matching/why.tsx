import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { graphAt } from './addresses.ts'

type WhyAnswer = AnswerOf<'/api/v1/matching/why'>
type Hop = Extract<WhyAnswer, { kind: 'together' }>['path'][number]

/** Why two works are one, and which links alone would part them. */
export const Why = ({ a, b }: { readonly a: string; readonly b: string }) => {
  const address = useAddress()
  return (
    <section class="panel" aria-labelledby="why">
      <h2 id="why">
        Why are <Name text={a} /> and <Name text={b} /> one?
      </h2>
      <p class="verbs">
        <Link to={graphAt(b)}>Look from there</Link>
        <Link to={changed(address, { with: undefined })}>Close</Link>
      </p>
      <Answer of={useAnswer('/api/v1/matching/why', { query: { a, b } })}>
        {(answer) => (answer.kind === 'together' ? <Together answer={answer} /> : <Apart answer={answer} />)}
      </Answer>
    </section>
  )
}

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
    <ol>
      {answer.path.map((hop) => (
        <HopLine key={`${hop.from} ${hop.to}`} hop={hop} />
      ))}
    </ol>
    {answer.parting.length === 0 ? (
      <p>No single link parts them: they are joined by more than one way.</p>
    ) : (
      <>
        <p>Without any one of these they would part:</p>
        <ul>
          {answer.parting.map((hop) => (
            <HopLine key={`${hop.from} ${hop.to}`} hop={hop} mayDrop />
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
        <ul>
          {answer.cut.map((link) => (
            <li key={`${link.from} ${link.to}`}>
              <Said link={link} />
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)

const HopLine = ({ hop, mayDrop = false }: { readonly hop: Hop; readonly mayDrop?: boolean }) => {
  const address = useAddress()
  return (
    <li>
      {hop.links.map((link) => (
        <div key={`${link.from} ${link.to}`}>
          <Said link={link} />
          {mayDrop && (
            <>
              {' '}
              <Link to={changed(address, { from: link.from, to: link.to, with: undefined })}>
                What if it were dropped?
              </Link>
            </>
          )}
        </div>
      ))}
    </li>
  )
}

const Said = ({ link: { from, to, reasons, statedAt } }: { readonly link: Hop['links'][number] }) => (
  <>
    <Name text={from} to={graphAt(from)} /> says <Name text={reasons.join(', ')} /> of{' '}
    <Name text={to} to={graphAt(to)} />, since <Time at={statedAt} form="when" />
  </>
)
