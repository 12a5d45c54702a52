/** Text for people, as on the printed report. */
export { ago, bytes, count, duration, plural } from '../../domain/kernel/amounts.ts'
export { visible } from '../../domain/kernel/visible.ts'
