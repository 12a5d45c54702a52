/* The setting `reports`: `monthly to=ada@archive.example store=main when=wrong`, several with semicolons between. */

export const periods = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Period = (typeof periods)[number]

export interface Schedule {
  readonly period: Period
  /** Mail addresses, and references of people. */
  readonly to: readonly string[]
  /** Empty: all stores. */
  readonly store: string
  /** Whether a mail comes when all was well, too. */
  readonly isAlways: boolean
}

/** As the server reads them; what is no schedule is left out. */
export const schedulesIn = (value: string): readonly Schedule[] =>
  value.split(';').flatMap((one) => {
    const [name, ...pairs] = one.trim().split(/\s+/)
    const period = periods.find((known) => known === name)
    const given = new Map(pairs.map((pair) => pair.split('=', 2) as [string, string]))
    const to = (given.get('to') ?? '').split(',').filter((address) => address !== '')
    if (period === undefined || to.length === 0) return []
    return { period, to, store: given.get('store') ?? '', isAlways: given.get('when') !== 'wrong' }
  })

export const scheduleText = ({ period, to, store, isAlways }: Schedule): string =>
  [
    period,
    `to=${to.join(',')}`,
    ...(store === '' ? [] : [`store=${store}`]),
    ...(isAlways ? [] : ['when=wrong']),
  ].join(' ')

export const settingOf = (schedules: readonly Schedule[]): string => schedules.map(scheduleText).join('; ')

/** Addresses as they are typed: with commas or spaces between. */
export const addressesIn = (typed: string): readonly string[] =>
  typed.split(/[\s,;]+/).filter((address) => address !== '')

/** Why a schedule cannot be one, with the field named; undefined: the server decides. */
export const whyNoSchedule = ({ to, store }: Schedule): string | undefined => {
  if (to.length === 0) return 'To whom: give one mail address or more.'
  const wrong = to.find((address) => !/^[^\s@]+@[^\s@]+$|^\S+#\S+$/.test(address))
  if (wrong !== undefined) return `To whom: ${wrong} is no mail address, such as ada@archive.example.`
  if (/\s|;/.test(store)) return 'Store: a store whose name has spaces or semicolons cannot be named here.'
  return undefined
}

/** When the period that an instant lies in ends, by UTC: a report comes behind it. */
export const endOf = (period: Period, now: Date): Date => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  switch (period) {
    case 'daily':
      return new Date(Date.UTC(year, month, day + 1))
    case 'weekly':
      return new Date(Date.UTC(year, month, day + 7 - ((now.getUTCDay() + 6) % 7)))
    case 'monthly':
      return new Date(Date.UTC(year, month + 1, 1))
    case 'quarterly':
      return new Date(Date.UTC(year, month - (month % 3) + 3, 1))
    case 'yearly':
      return new Date(Date.UTC(year + 1, 0, 1))
  }
}
