import { useState } from 'preact/hooks'
import { visible } from '../../parts/name.tsx'

/** The signed head as it is handed on: its text, and a button that copies it where the browser lets a page do that. */
export const Checkpoint = ({ text }: { readonly text: string }) => {
  const [isCopied, setCopied] = useState(false)
  const clipboard = navigator.clipboard as Clipboard | undefined
  return (
    <section class="panel" aria-labelledby="checkpoint">
      <h2 id="checkpoint">
        Checkpoint
        {clipboard && (
          <button
            type="button"
            class="small end"
            onClick={() => clipboard.writeText(text).then(() => setCopied(true))}
          >
            {isCopied ? 'Copied' : 'Copy'}
          </button>
        )}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="json" tabIndex={0} aria-label="Text of the checkpoint">
        <pre class="name">{visible(text)}</pre>
      </section>
      <p class="why">
        It states that the log was not changed, not that the content is good: that is for fixity. Keep a copy
        where nobody can change it: a later head must go on from it.
      </p>
    </section>
  )
}
