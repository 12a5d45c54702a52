import { integer, text, type ViewShape } from './view.ts'

/**
 * How much of its work a workflow did when: a row for each ten minutes and for each day of UTC in which something was done. It keeps no
 * history: a row ends with its ten minutes.
 */
export const activityView = <const Name extends string>(name: Name) =>
  ({
    name: `${name}-activity` as const,
    description: `How much ${name} did in each ten minutes and on each day (UTC), and how much of it went wrong.`,
    key: ['of', 'begin'],
    columns: {
      of: text<'slot' | 'day'>(),
      /** `2026-01-31T12:30` or `2026-01-31`. */
      begin: text(),
      /** Things done, those that went wrong left out. */
      done: integer(),
      wrong: integer(),
      /** Things to look at that are not wrong. */
      odd: integer(),
      /** Times of its first and last event. */
      first: text(),
      last: text(),
    },
  }) as const satisfies ViewShape

export type ActivityView = ReturnType<typeof activityView>
