/** The module of reading threads: see `OpenRunWriter`. */
export { openRunWriter as default } from './write-lines.ts'
