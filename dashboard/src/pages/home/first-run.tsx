import type { ComponentChildren } from 'preact'
import { Link } from '../../address/use-address.tsx'
import { useNoActs } from '../../shell/may-act.ts'
import { commandAt } from '../commands/addresses.ts'

interface First {
  readonly title: string
  /** What will happen. */
  readonly says: string
  /** Where the page does it. */
  readonly link: readonly [to: string, verb: string]
  readonly line: string
}

const firsts: readonly First[] = [
  {
    title: 'Watch a folder or a bucket',
    says: 'Its files are read, never changed. Made known here, it waits until what is in it is recorded: the command does both.',
    link: [commandAt('fixity.register-store', { kind: 'folder' }), 'Make a store known'],
    line: 'fonds fixity add /srv/archive',
  },
  {
    title: 'Index harvested pages',
    says: 'The WARC files of a folder or a bucket are read, and what is in them can be found and replayed.',
    link: ['/indexing/sources', 'Add a source'],
    line: 'fonds indexing add /srv/warcs',
  },
  {
    title: 'Take in a deposit',
    says: 'Files are dropped here, stored as objects with an identifier, and their depositor gets a report.',
    link: ['/ingest', 'Submit files'],
    line: 'fonds ingest submit /srv/deposit',
  },
  {
    title: 'Match records of catalogues',
    says: 'Records that are about the same work are joined, and each link can be explained.',
    link: ['/matching/add', 'Send a catalogue file'],
    line: 'fonds produce fonds.matching.works catalogue.ndjson',
  },
  {
    title: 'Look for clips in recordings',
    says: 'A clip is looked for in every episode, and each place can be heard and judged.',
    link: ['/research/add', 'Add programmes'],
    line: 'fonds research add episodes /srv/programmes',
  },
]

/** An empty home: what can be done first, with what will happen, from here and from the command line. */
export const FirstRun = () => {
  const noActs = useNoActs()
  return (
    <section aria-labelledby="first">
      <h2 id="first">What can be done first</h2>
      {noActs !== undefined && <p class="why">{noActs}</p>}
      <ul class="findings flush">
        {firsts.map(({ title, says, link, line }) => (
          <li key={title}>
            <div>
              <strong>{title}</strong>
              <p>{says}</p>
            </div>
            <Line>{line}</Line>
            <span class="verbs">
              {noActs === undefined && (
                <Link to={link[0]} class="button">
                  {link[1]}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Line = ({ children }: { readonly children: ComponentChildren }) => (
  <p>
    <code>{children}</code>
  </p>
)
