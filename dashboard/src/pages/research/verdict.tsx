import { addressOf } from '../../api/client.ts'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { clock } from './clock.ts'
import type { Place } from './place.ts'
import { Player } from './player.tsx'
import { verdicts } from './verdict-choosing.ts'

/** The place that is heard, the clip beside it, and what a person says of it. */
export const Verdict = ({ place }: { readonly place: Place }) => {
  const { episode, clip, clipTitle, offset, score, verdict, judgedBy } = place
  return (
    <section class="panel" aria-labelledby="verdict">
      <h2 id="verdict">
        <Name text={clipTitle} /> at {clock(offset)}
      </h2>
      <p>
        Score {score.toFixed(3)};{' '}
        {verdict === undefined ? (
          'nobody judged it yet'
        ) : (
          <>
            {verdict} by <Name text={judgedBy ?? 'nobody'} />
          </>
        )}
        .
      </p>
      <p>The clip itself:</p>
      <Player says="The clip" address={addressOf('/api/v1/research/clips/{clip}/media', { clip })} />
      <div class="buttons">
        {verdicts.map(([verb, word, says]) => (
          <Command
            key={word}
            name="research.judge"
            input={{ episode, clip, offset, verdict: word }}
            verb={verb}
            says={says}
            cannot={verdict === word ? `It is ${word} already.` : undefined}
          />
        ))}
      </div>
    </section>
  )
}
