/* What a suite that kills found, in a line that `npm run soak` reads. */

export interface Figures {
  readonly kills: number
  /** Messages, or whatever the suite was told to be kept. */
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
}

const names = ['kills', 'acknowledged', 'lost', 'doubled'] as const

export const none: Figures = { kills: 0, acknowledged: 0, lost: 0, doubled: 0 }

/** Without `lost` and `doubled`: the suite fails where there are any, so it is called when all is proved. */
export const tellFigures = (seed: number, figures: Partial<Figures>): void => {
  const all = { ...none, ...figures }
  console.log(`figures: seed ${seed}, ${names.map((name) => `${name} ${all[name]}`).join(', ')}`)
}

/** Of all such lines in the text. */
export const figuresIn = (text: string): Figures =>
  [...text.matchAll(/figures: seed \d+, kills (\d+), acknowledged (\d+), lost (\d+), doubled (\d+)/g)]
    .map(([, ...found]): Figures => {
      const [kills = 0, acknowledged = 0, lost = 0, doubled = 0] = found.map(Number)
      return { kills, acknowledged, lost, doubled }
    })
    .reduce(sum, none)

export const sum = (one: Figures, other: Figures): Figures => ({
  kills: one.kills + other.kills,
  acknowledged: one.acknowledged + other.acknowledged,
  lost: one.lost + other.lost,
  doubled: one.doubled + other.doubled,
})
