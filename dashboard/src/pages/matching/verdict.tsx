import { Actor } from '../../parts/actor.tsx'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import type { Graph } from './layout.ts'

export const confirmSays =
  'It leaves the lists of what to look at for as long as it is as it is now: the same records, titles, states, sources and links. Whatever changes one of these brings it back.'

/** Who looked at a graph and found it right, when and why; and the button that says so, or takes it back. */
export const VerdictOn = ({ graph }: { readonly graph: Graph }) => {
  const { verdict, component, version } = graph
  return (
    <section class="panel verdict" aria-label="Looked at">
      {verdict ? (
        <p>
          <State
            is={verdict.stands ? 'well' : 'needs somebody'}
            words={verdict.stands ? 'confirmed' : 'changed since'}
          />{' '}
          <Actor text={verdict.actor} /> looked at it <Time at={verdict.at} form="when" />: it is right, “
          <Name text={verdict.reason} isWhole />
          ”.
          {!verdict.stands && ' It has changed since: that counts no more.'}
        </p>
      ) : (
        <p class="why">Nobody has said that it is right as it is.</p>
      )}
      <div class="buttons">
        {!verdict?.stands && (
          <Command
            name="matching.confirm"
            input={{ work: component, seen: version }}
            verb="It is right"
            says={confirmSays}
          />
        )}
        {verdict && (
          <Command
            name="matching.unconfirm"
            input={{ work: component }}
            verb="Take that back"
            says="It is listed again where it stands out. The log keeps both."
          />
        )}
      </div>
    </section>
  )
}
