import { plural } from '../../parts/words.ts'
import { clock } from './clock.ts'
import type { Timeline } from './place.ts'

/** Where an episode cannot be decoded: that nothing was found there means nothing. */
export const Gaps = ({ gaps }: Pick<Timeline, 'gaps'>) =>
  gaps.length > 0 && (
    <div class="why" role="note">
      <p>
        {plural(gaps.length, 'stretch', 'stretches')} of it cannot be decoded, and no clip can be found there;
        fetch or export it again:
      </p>
      <ul>
        {gaps.map(({ offset, duration }) => (
          <li key={offset}>
            {clock(offset)} to {clock(offset + duration)}
          </li>
        ))}
      </ul>
    </div>
  )
