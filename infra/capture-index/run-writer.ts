/** The module of reading threads: see `OpenRunWriter`. */
export { openRunWriter as default } from '@fonds/cdx/jobs'
