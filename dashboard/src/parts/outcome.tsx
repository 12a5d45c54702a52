import { Link } from '../address/use-address.tsx'

/** What came of a command; without an event of what changes no fact. */
export interface Told {
  readonly outcome: string
  readonly stream?: string
  readonly position?: string
}

const sentences: Readonly<Record<string, string>> = {
  done: 'Done.',
  unchanged: 'It was so already: nothing was changed.',
  repeated: 'It was done before, by the same wish.',
  begun: 'It is begun.',
  stopped: 'It is stopped.',
}

export const Outcome = ({ told: { outcome, stream, position } }: { readonly told: Told }) => (
  <p role="status" class="outcome">
    <strong>{sentences[outcome] ?? outcome}</strong>
    {position !== undefined && (
      <>
        {' '}
        Its event is <Link to={`/log/events/${position}`}>{`number ${position} of the log`}</Link>, in the
        stream <code class="name">{stream}</code>.
      </>
    )}
  </p>
)
