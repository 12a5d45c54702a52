import { type Answer as AnswerOf, questionAt } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { type Condition, State } from '../../parts/state.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { bytes, count, plural } from '../../parts/words.ts'

type Bag = AnswerOf<'/api/v1/fixity/bags'>['bags'][number]

const verdicts: Readonly<Record<Bag['verdict'], readonly [is: Condition, words: string]>> = {
  valid: ['well', 'valid'],
  'not-valid': ['needs somebody', 'not valid'],
  'not-proven': ['not known', 'not proven'],
}

const shown = 50

/** Bags, those that are not valid first; nothing where there are none. */
export const Bags = () => (
  <Answer of={useAnswer('/api/v1/fixity/bags', { query: { limit: shown } })}>
    {({ bags, counts, total }, at) =>
      total === 0 ? null : (
        <section aria-labelledby="bags">
          <h2 id="bags">Bags</h2>
          <p>
            {plural(total, 'bag')}: {count(counts.valid)} valid, {count(counts.notValid)} not valid,{' '}
            {count(counts.notProven)} not proven.
          </p>
          <ul class="findings flush">
            {bags.map((bag) => (
              <li key={`${bag.store}/${bag.bag}`}>
                <BagLine bag={bag} />
              </li>
            ))}
          </ul>
          {total > bags.length && (
            <p>
              {count(total - bags.length)} more: <code>fonds fixity bags</code> lists all.
            </p>
          )}
          <SameLine line="fonds fixity bags" />
          <AsOf at={at} />
        </section>
      )
    }
  </Answer>
)

const BagLine = ({
  bag: { store, bag, verdict, since, because, rule, files, bytes: size, listedAt },
}: {
  readonly bag: Bag
}) => {
  const [is, words] = verdicts[verdict]
  const past = usePast()
  return (
    <>
      <div>
        <Name text={`${store}/${bag}`} />
        <p class="cause">
          <State is={is} words={words} /> since <Time at={since} />: <Name text={because} isWhole />{' '}
          <small>({rule})</small>
        </p>
      </div>
      <p>
        {plural(files, 'payload file')}, {bytes(size)}; listed <Time at={listedAt} />.{' '}
        <a href={questionAt('/api/v1/fixity/bag', { query: { store, bag } }, past)}>Certificate</a>
      </p>
    </>
  )
}
