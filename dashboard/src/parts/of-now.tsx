import type { OfNow } from '../api/past.ts'

/** While the past is shown: that what stands here is not of the past. */
export const OfNowNote = ({ is }: { readonly is: OfNow }) =>
  is === 'none' ? null : (
    <p class="of-now">
      <strong>As of now.</strong>{' '}
      {is === 'all'
        ? 'What follows cannot be asked about the past: it is shown as it is now.'
        : 'A part of what follows cannot be asked about the past: that part is shown as it is now.'}
    </p>
  )
