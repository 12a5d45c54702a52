import type { Answer } from '../../api/client.ts'
import { bytes, count } from '../../parts/words.ts'

type Day = Answer<'/api/v1/fixity/stores'>['stores'][number]['asked'][number]

/** Requests to the bucket of a store, by class, and bytes. */
type Use = Omit<Day, 'day'>

export const totalOf = (days: readonly Use[]): Use => {
  const sum = (name: keyof Use) => days.reduce((total, day) => total + day[name], 0)
  return {
    gets: sum('gets'),
    heads: sum('heads'),
    lists: sum('lists'),
    puts: sum('puts'),
    deletes: sum('deletes'),
    bytesRead: sum('bytesRead'),
    bytesWritten: sum('bytesWritten'),
  }
}

/** Names the classes of which there were any. */
export const useInWords = ({ gets, heads, lists, puts, deletes, bytesRead, bytesWritten }: Use): string => {
  const classes = [
    [gets, 'GET'],
    [lists, 'LIST'],
    [heads, 'HEAD'],
    [puts, 'PUT or POST'],
    [deletes, 'DELETE'],
  ] as const
  const made = classes.filter(([n]) => n > 0).map(([n, name]) => `${count(n)} ${name}`)
  const written = bytesWritten > 0 ? `, ${bytes(bytesWritten)} written` : ''
  return `${made.join(', ')}; ${bytes(bytesRead)} read${written}`
}
